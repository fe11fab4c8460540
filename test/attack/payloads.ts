/** The payloads for properties of one type. */
export interface Payloads {
  /** Literals that are refused (400). */
  readonly refused: readonly string[];
  /** Literals that are understood, and that no record has: an injection that works would find some. */
  readonly none: readonly string[];
  /** JSON values that a body is refused for. */
  readonly unwritable: readonly string[];
}

const texts = [
  "' OR '1'='1",
  '\'; DROP TABLE "Property"; --',
  "' UNION SELECT secret FROM x --",
  "\\'; SELECT pg_sleep(10); --",
  "') OR TRUE --",
  '" OR ""="',
  '%',
  '_',
  '%%',
  '\\',
  '\\\\%',
  "''",
  '$1',
  '$$x$$',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '\u202e',
  '\ufeff',
  'İ',
  'ﬃ',
  '\u{1F3E0}'.repeat(50),
  'a'.repeat(4000),
  '(((((',
  '@p',
  '$it',
  'null',
  '\u2028',
  '\r\nSet-Cookie: a=b',
  "E'\\x27'",
  "U&'\\0027'",
  'pg_catalog.current_user',
];

const notLiterals = [
  "'a",
  "a'",
  "'a' or",
  "'a';",
  "'a'--",
  "'a'/**/",
  "'a' = 'a'",
  "'a' or 1=1",
  "'a'||'b'",
  '"a"',
  '`a`',
  "E'a'",
  '(select 1)',
  "'a'::text",
  '%00',
  "'%00'",
  "'%ED%A0%80'",
  "'%FF'",
  "'%C0%A7'",
  "'%E0%80%A7'",
  'constructor',
  '__proto__',
  '$1',
  '?',
];

const notNumbers = [
  "''",
  "'1'",
  '0x10',
  '1_000',
  '1;',
  '1--',
  '1/**/',
  '1-- or 1 eq 1',
  '1 or 1=1',
  '1)',
  '(1',
  '1,2',
  '%D9%A1',
  '1..2',
  '1e',
  '.',
  'e1',
  'true',
  '2024-01-01',
  'constructor',
  '$1',
  '1 union select 1',
  '%00',
  'pg_sleep(1)',
  '1::int',
];

const notDates = [
  "'2024-01-01'",
  '2024-13-01',
  '2024-02-30',
  '2023-02-29',
  '2024-00-10',
  '2024-1-1',
  '24-01-01',
  '2024-01-01;',
  '2024-01-01--',
  '2024-01-01 or 1=1',
  '2024/01/01',
  '20240101T',
  'current_date',
  'clock_timestamp()',
  'infinity',
  "date'2024-01-01'",
  '%00',
  '2024-01-01%00',
  '1',
  'true',
];

// oxfmt-ignore
/** By type, with `[]` for a collection; generated cases take every row of it. */
export const payloads: { readonly [type: string]: Payloads } = {
  'Edm.String': { refused: [...notLiterals, '1', 'true'], none: texts.map(quoted), unwritable: ['1', 'true', '{}', '[]', '["a"]', '"\\u0000"', '"\\ud800"', '"\\udc00a"', '{"$ne":null}', '1e400'] },
  'Edm.String[]': { refused: [...notLiterals, '1', 'true'], none: texts.map(quoted), unwritable: ['"a"', '1', 'true', '{}', '[1]', '[null]', '[["a"]]', '["\\u0000"]', '["\\ud800"]', '[{"$ne":null}]', '{"0":"a"}'] },
  'Edm.Int32': { refused: notNumbers, none: ['2147483647', '2147483648', '-2147483648', '9223372036854775807', '9223372036854775808', '-1e5', '1e308', 'NaN', 'INF', '-INF', '0.5', '1.0000000000000000000001', '99999999999999999999999999999999'], unwritable: ['"1"', 'true', '{}', '[]', '1.5', '2147483648', '-2147483649', '1e400', '"NaN"', '[1]', '{"$gt":0}'] },
  'Edm.Int64': { refused: notNumbers, none: ['9223372036854775807', '9223372036854775808', '-9223372036854775808', '1e308', 'NaN', '0.5', '9007199254740993.5'], unwritable: ['"1"', 'true', '{}', '[]', '1.5', '9223372036854775808', '1e400', '"NaN"', '[1]'] },
  'Edm.Decimal': { refused: notNumbers, none: ['1e308', 'NaN', 'INF', '-INF', '0.0000000000000000001', '99999999999999999999999999.99', '-79228162514264337593543950335', '1e-300', '9007199254740993', '123456789012345678901234567890', '5e-324', '-0.001'], unwritable: ['"1"', 'true', '{}', '[]', '1e400', '"NaN"', '"Infinity"', '[1]', '99999999999999999999', '1.2345678901234567890123', '{"$gt":0}'] },
  'Edm.Boolean': { refused: ["'true'", "''", '1', '0', 'yes', 'TRUE OR', 'true;', 'true--', 'true or 1=1', 'constructor', '%00', 't', "'t'::bool", '2024-01-01', 'not'], none: [], unwritable: ['"true"', '1', '0', '{}', '[]', '[true]', '"t"', '1e400', '{"$ne":false}', '"\\u0000"', '""', '-0'] },
  'Edm.Date': { refused: notDates, none: ['9999-12-31', '0001-01-01', '1582-10-10', '1970-01-01'], unwritable: ['"2024-02-30"', '"2023-02-29"', '"2024-13-01"', '"infinity"', '"now"', '"today"', '20240101', 'true', '{}', '[]', '"2024-01-01T12:00:00Z"', '"2024-02-30T00:00:00Z"', '""', '"2024-01-01\\u0000"'] },
  'Edm.DateTimeOffset': { refused: [...notDates, '2024-01-01T25:00:00Z', '2024-01-01T00:60:00Z', '2024-02-30T00:00:00Z', '2024-01-01T00:00:00', '2024-01-01T00:00:00Z;', '2024-01-01T00:00:00%2B99:00'], none: ['9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z', '2024-02-29T12:00:00%2B14:00', '1970-01-01T00:00:00.000001Z'], unwritable: ['"2024-02-30T00:00:00Z"', '"2024-01-01T25:00:00Z"', '"2024-01-01T00:00:00"', '"infinity"', '"now"', '0', 'true', '{}', '[]', '""', '"2024-01-01T00:00:00Z\\u0000"', '{"$date":0}'] },
  'Edm.GeographyPoint': { refused: ["'POINT(0 0)'", "geography'POINT(0)'", "geography'POINT(a b)'", "geography'SRID=4326;POINT(0 0); DROP'", "geography'POINT(0 0", "geography'SRID=0;POINT(200 100)'", "geography'POINT(1e999 0)'", "geography'POINT(NaN NaN)'", "geography'<xml>'", "st_makepoint(0,0)", '(0,0)', 'null;', '1', 'true', '%00'], none: [], unwritable: ['"POINT(0 0)"', '1', 'true', '[]', '[0,0]', '{}', '{"type":"Point"}', '{"type":"Point","coordinates":[]}', '{"type":"Point","coordinates":["0","0"]}', '{"type":"Point","coordinates":[1e400,0]}', '{"type":"Polygon","coordinates":[]}', '{"type":"Point","coordinates":[200,100]}'] },
};

function quoted(text: string): string {
  return `'${encodeURIComponent(text.replaceAll("'", "''"))}'`;
}
