import { operatorNamed } from './operators.js';
import { excerpt } from './quote.js';

interface Advice {
  readonly pattern: RegExp;
  readonly say: (text: string, groups: readonly string[]) => string;
}

// prettier-ignore
/** Advice for text that begins like a number and is none; the first matching row is used. */
const advices: readonly Advice[] = [
  { pattern: /^-?\d{4,}-\d\d-\d\dT[\d:]+$/i, say: (text) => `a date-time ends with Z or an offset, write ${fullTime(text)}Z` },
  { pattern: /\.\d{13,}/, say: () => 'fractional seconds have at most 12 digits' },
  { pattern: /^\d{4}-\d{1,2}-\d{1,2}$/, say: (text) => `a date is written YYYY-MM-DD, such as ${paddedDate(text)}` },
  { pattern: /^\d{1,2}:\d{1,2}(?::\d{1,2})?$/, say: () => 'a time is written hh:mm:ss, such as 09:05:00' },
  { pattern: /^([-+]?[\d.]+)[lfdm]$/i, say: (_, [number]) => `a number has no suffix in OData 4, write ${number}` },
  { pattern: /^\d+(?:_\d+)+$/, say: (text) => `a number has no digit separators, write ${text.replaceAll('_', '')}` },
  { pattern: /^([\d.]+)k$/i, say: (_, [number]) => `a number is written with all digits, as ${number}000` },
  { pattern: /^(\d+)\.\.(\d+)$/, say: (_, [low, high]) => `a range is two comparisons, write ‹number› ge ${low} and ‹number› le ${high}` },
  { pattern: /^([-+]?\d+)\.$/, say: (_, [number]) => `digits are missing after the point, write ${number} or ${number}.0` },
  { pattern: /^([\d.]+)\+([\d.]+)$/, say: (_, [left, right]) => `the operator is add, write ${left} add ${right}` },
  { pattern: /^(\d{4})-(0[1-9]|1[0-2])$/, say: (text, [year, month]) => `a date has a day too, write ${text}-01, or year(‹date›) eq ${year} and month(‹date›) eq ${Number(month)}; a difference is written ${year} sub ${Number(month)}` },
  { pattern: /^([\d.]+)-([\d.]+)$/, say: (_, [left, right]) => `the operator is sub, write ${left} sub ${right}` },
  { pattern: /^[0-9a-f]{4,}-[0-9a-f-]*$/i, say: () => 'a GUID has 8-4-4-4-12 hexadecimal digits, a date is written YYYY-MM-DD' },
];

/** The advice for text that begins with a digit but is no literal. */
export function plainLiteralAdvice(text: string): string {
  const word = /[a-z]+$/i.exec(text.slice(-8))?.[0] ?? '';
  if (operatorNamed(word)) return `a space is missing before ${word}`;
  const shown = excerpt(text);
  for (const { pattern, say } of advices) {
    const match = pattern.exec(text);
    if (match) return `'${shown}' is malformed: ${say(shown, match.slice(1).map(excerpt))}`;
  }
  return `'${shown}' is not a number, date, time or GUID; strings need single quotes`;
}

function fullTime(text: string): string {
  return text.length === 16 ? `${text}:00` : text;
}

function paddedDate(text: string): string {
  return text
    .split('-')
    .map((part) => part.padStart(2, '0'))
    .join('-');
}
