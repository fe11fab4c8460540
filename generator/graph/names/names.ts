import { createHash } from 'node:crypto';
import { words } from '../../csdl/elements.js';
import { terms } from '../../csdl/terms.js';
import { textValue, type Notes } from '../../csdl/vocabulary.js';
import { faults } from '../../faults.js';
import type { Context } from '../built-model.js';

/** PostgreSQL silently cuts longer names, so they are shortened here and stay distinct. */
export const maxColumnBytes = 63;

/**
 * Internal columns: `#type` has an entity's type, `#search` the words of searchable properties, `#one` the only value
 * of a singleton.
 */
export const internalColumns = ['#id', '#version', '#type', '#search', '#more', '#open', '#one'] as const;

/** The system columns of every PostgreSQL table. */
const systemColumns: ReadonlySet<string> = new Set(['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid']);

/** The name in the database: the model's own, or its start and a hash if it is too long or taken. */
export function databaseName(name: string, most = maxColumnBytes): string {
  if (Buffer.byteLength(name) <= most && !systemColumns.has(name)) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${cutBytes(name, most - 9)}_${hash}`;
}

/** The folder of an entity type: lower case and hyphens, portable across file systems. */
export function folderName(name: string, taken: ReadonlySet<string>): string {
  const words = name.replace(/([\p{Ll}\p{Nd}])(\p{Lu})/gu, '$1-$2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1-$2');
  const plain = words
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, (character) => (character === '_' ? '-' : `u${character.codePointAt(0)?.toString(16)}`));
  const base = cutFolder(plain.replace(/^-+|-+$/g, '')) || 'entity';
  return distinct(base, (candidate) => reservedFolders.has(candidate) || taken.has(candidate), '-');
}

/** File systems limit names to 255 bytes, and a letter of another script takes five characters or more. */
const longestFolder = 100;

function cutFolder(name: string): string {
  if (name.length <= longestFolder) return name;
  return `${name.slice(0, longestFolder - 9)}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

/** An identifier that no other declaration of the generated files has. */
export function typeIdentifier(name: string, taken: ReadonlySet<string>): string {
  // OData names may contain format characters, of which TypeScript permits only joiners.
  const plain = name.replace(/[^\p{ID_Continue}$\u200c\u200d]/gu, '_');
  const base = reservedTypes.has(plain) ? `${plain}Type` : plain;
  return distinct(base, (candidate) => taken.has(candidate) || reservedTypes.has(candidate), '_');
}

/** The prefix of constants, such as `property` in `propertyFields`. */
export function constantPrefix(typeName: string): string {
  const first = /^\p{Lu}+(?=\p{Lu}\p{Ll})|^\p{Lu}/u.exec(typeName)?.[0] ?? '';
  return first.toLowerCase() + typeName.slice(first.length);
}

function distinct(base: string, isTaken: (candidate: string) => boolean, separator: string): string {
  if (!isTaken(base)) return base;
  let number = 2;
  while (isTaken(`${base}${separator}${number}`)) number++;
  return `${base}${separator}${number}`;
}

/** The start of a name that fits into the bytes. */
export function cutBytes(name: string, bytes: number): string {
  let cut = '';
  for (const character of name) {
    if (Buffer.byteLength(cut + character) > bytes) break;
    cut += character;
  }
  return cut;
}

const reservedFolders: ReadonlySet<string> = new Set([
  'migrations',
  'index',
  'types',
  'con',
  'prn',
  'aux',
  'nul',
  ...['com', 'lpt'].flatMap((port) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => `${port}${digit}`)),
]);

// Reserved words, and the global and imported types that generated files use.
const reservedTypes: ReadonlySet<string> = new Set(
  words(`any unknown never object string number bigint boolean symbol undefined null void true false this super
   break case catch class const continue debugger default delete do else enum export extends finally for function if
   import in instanceof new return switch throw try typeof var while with yield let static await async as satisfies
   implements interface package private protected public type declare namespace module abstract readonly keyof infer is asserts
   unique global require arguments eval constructor Partial Omit Pick Record Required Readonly NonNullable Array Promise Object
   Decimals Models TableModel TableRow Buffer Date Sequelize DataTypes EntityType EntityContainer FieldTable NavigationTable WriteRules TransitionTable Route`),
);

/** The name of the table or column in Rules.Storage; names with # are reserved. */
export function storageName(notes: Notes, owner: string, { report }: Pick<Context, 'report'>): string | undefined {
  const written = textValue(notes.find(terms.storage)?.value, terms.storage, report);
  if (written === undefined) return undefined;
  const { at, value } = written;
  const wrong = (why: string): undefined => {
    report(faults.storageName(at, owner, `'${value}'`, why));
    return undefined;
  };
  if (Buffer.byteLength(value) > maxColumnBytes) return wrong(`PostgreSQL's names have at most ${maxColumnBytes} bytes`);
  if (systemColumns.has(value)) return wrong('every table of PostgreSQL has a column with this name');
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(value) ? value : wrong('a name has letters, digits and _, and does not start with a digit');
}
