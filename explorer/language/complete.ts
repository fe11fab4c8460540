import { own } from '../../runtime/edm/index.js';
import type { ShownTables } from '../../runtime/features/explorer/shown-tables.js';
import { proposals } from './complete-option.js';
import { type Completion, type Item, keyword, memberItem, optionItems } from './items.js';
import { membersOf, type Reached, rootNamed } from './reach.js';
import { readText, type RequestText, type TextOption } from './request-text.js';
import { scanBefore } from './scan.js';

/** The proposals for a place of the query text. */
export function complete(text: string, at: number, tables: ShownTables): Completion {
  const read = readText(text);
  const option = read.options.findLast(({ from }) => from <= at);
  if (option === undefined && !text.slice(0, at).includes('\n')) return completePath(text.slice(read.pathAt, at), read.pathAt, tables);
  if (option === undefined || isOnOtherLine(text, option, at)) return completeName(text, at, read);
  if (at < option.at) return completeName(text, at, read);
  return completeValue(option, text.slice(option.at, at).replaceAll('\n', ' '), at, read, tables);
}

function isOnOtherLine(text: string, { to }: TextOption, at: number): boolean {
  return at > to && text.slice(to, at).includes('\n') && !/\n\s+$/.test(text.slice(to, at));
}

function completeName(text: string, at: number, { options }: RequestText): Completion {
  const partial = /[$@\w]*$/.exec(text.slice(0, at))?.[0] ?? '';
  const used = new Set(options.filter(({ from }) => from !== at - partial.length).map(({ name }) => name));
  const items = optionItems.filter(({ label }) => !used.has(label));
  return matching({ from: at - partial.length, items }, partial);
}

function completePath(before: string, pathAt: number, tables: ShownTables): Completion {
  const partial = /[^/()]*$/.exec(before)?.[0] ?? '';
  const from = pathAt + before.length - partial.length;
  const parts = before
    .slice(0, before.length - partial.length)
    .split('/')
    .slice(0, -1);
  if (/\([^)]*$/.test(before)) return { from, items: [] };
  if (parts.length === 0) return matching({ from, items: rootsOf(tables) }, partial);
  const reached = parts.reduce<Reached | undefined>((at, part) => stepAlong(at, part, tables), undefined);
  if (reached?.kind !== 'record') return { from, items: [] };
  const members = reached.many ? [] : membersOf(reached.type, tables).map(memberItem);
  return matching({ from, items: reached.many ? [keyword('$count'), keyword('$filter(')] : [...members, keyword('$ref')] }, partial);
}

function stepAlong(at: Reached | undefined, part: string, tables: ShownTables): Reached | undefined {
  const [name = ''] = part.split('(');
  const keyed = part.includes('(') && name !== '$filter';
  const next = at === undefined ? rootNamed(name, tables) : at.kind === 'record' ? memberNamed(at, name, tables) : undefined;
  const reached = name === '$filter' ? at : next;
  return reached && keyed ? { ...reached, many: false } : reached;
}

function memberNamed({ type }: Extract<Reached, { kind: 'record' }>, name: string, tables: ShownTables): Reached | undefined {
  return membersOf(type, tables).find((member) => member.name === name)?.reached;
}

function rootsOf(tables: ShownTables): readonly Item[] {
  const { entitySets, singletons = {} } = tables.container;
  return [...Object.keys(entitySets), ...Object.keys(singletons)]
    .filter((name) => rootNamed(name, tables))
    .map((name) => ({ label: name, kind: 'set', detail: own(entitySets, name) ?? own(singletons, name) ?? '' }));
}

function completeValue(option: TextOption, before: string, at: number, { path }: RequestText, tables: ShownTables): Completion {
  const parts = path.split('/');
  const start = parts.reduce<Reached | undefined>((from, part) => stepAlong(from, part, tables), undefined);
  const scanned = scanBefore(option.name, before, start && { ...start, many: false }, tables);
  const completion = { from: at - scanned.partial.length, ...proposals(scanned, tables) };
  return matching(completion, scanned.partial);
}

// Names that begin with the text come first, then those that contain it; the words of a text in quotes likewise.
function matching({ items, ...rest }: Completion, partial: string): Completion {
  const wanted = partial.toLowerCase();
  const begins = items.filter(({ label }) => label.toLowerCase().startsWith(wanted));
  const bare = wanted.replace(/^['$]/, '');
  const contains =
    bare === '' ? [] : items.filter(({ label }) => !label.toLowerCase().startsWith(wanted) && label.toLowerCase().includes(bare));
  return { ...rest, items: [...begins, ...contains] };
}
