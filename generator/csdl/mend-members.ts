import { nearestOf } from '../../runtime/errors/suggest.js';
import { faults, type Report } from '../faults.js';
import { operators } from './elements.js';
import { facets } from './json-element.js';
import type { JsonMember, JsonValue } from './json-tree.js';

const typed = ['Type', 'Collection', ...facets];

/** The members with a $ of documents, schemas and their elements, and those of expressions in annotations. */
const known = {
  elements: withMark(
    ...typed,
    ...'Version Reference EntityContainer Include IncludeAnnotations Namespace Alias TermNamespace Qualifier TargetNamespace'.split(' '),
    ...'Annotations Kind Name Key BaseType Abstract OpenType HasStream UnderlyingType IsFlags BaseTerm AppliesTo Nullable'.split(' '),
    ...'DefaultValue Partner ContainsTarget ReferentialConstraint OnDelete IsBound EntitySetPath IsComposable Parameter'.split(' '),
    ...'ReturnType Extends NavigationPropertyBinding IncludeInServiceDocument Action Function EntitySet'.split(' '),
  ),
  expressions: withMark(
    ...typed,
    ...operators,
    ...'Path Apply Function Cast IsOf LabeledElement Name LabeledElementReference Null'.split(' '),
  ),
} as const;

type Place = keyof typeof known;

function withMark(...names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => `$${name}`));
}

/** Reports members with a $ that CSDL JSON does not have and that resemble one of it, and reads them as that one. */
export function mendMembers(value: JsonValue, report: Report, owner = 'A document', place: Place = 'elements'): JsonValue {
  switch (value.kind) {
    case 'array':
      return { ...value, items: value.items.map((item) => mendMembers(item, report, owner, place)) };
    case 'object':
      return { ...value, members: value.members.map((member) => mendMember(member, value.members, owner, place, report)) };
    default:
      return value;
  }
}

function mendMember({ at, name, value }: JsonMember, all: readonly JsonMember[], owner: string, place: Place, report: Report): JsonMember {
  const meant = meantBy(name, all, known[place]);
  if (meant !== undefined) report(faults.misspeltMember(at, owner, name, meant));
  const within = name.includes('@') ? 'expressions' : place;
  return { at, name: meant ?? name, value: mendMembers(value, report, name.startsWith('$') ? owner : name, within) };
}

function meantBy(name: string, all: readonly JsonMember[], names: ReadonlySet<string>): string | undefined {
  if (!name.startsWith('$') || name.includes('@') || names.has(name)) return undefined;
  const meant = nearestOf(name, names);
  return all.some((other) => other.name === meant) ? undefined : meant;
}
