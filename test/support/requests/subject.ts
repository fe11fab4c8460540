import type { EntityContainer } from '../../../runtime/edm/entity-container.js';
import type { EntityType } from '../../../runtime/edm/entity-type.js';
import type { Field } from '../../../runtime/edm/field.js';
import type { Random } from '../../permission/random.js';

/** A model that random requests are made for, and what of its data they ask for. */
export interface Subject {
  readonly container: EntityContainer;
  /** The types that requests begin at; those that are asked about most stand here several times. */
  readonly types: readonly EntityType[];
  /** Properties that are named as often as all others together. */
  readonly restricted: (type: EntityType) => readonly string[];
  /** Keys of records, as a URL has them, by entity type; others are made of literals. */
  readonly keys: { readonly [type: string]: readonly string[] };
  /** Literals that stored values equal, by primitive type. */
  readonly literals: { readonly [type: string]: readonly string[] };
  /** Words that `$search` finds. */
  readonly words: readonly string[];
}

const common: Subject['literals'] = {
  'Edm.String': ["'a'", "'b'", "''", "'O''Neil'"],
  'Edm.Boolean': ['true', 'false'],
  'Edm.Date': ['2026-04-01'],
  'Edm.DateTimeOffset': ['2026-03-01T10:00:00Z'],
  'Edm.TimeOfDay': ['10:00:00'],
  'Edm.Duration': ["duration'P1D'"],
  'Edm.Guid': ['00000000-0000-0000-0000-000000000001'],
  'Edm.Binary': ["binary'T0RhdGE='"],
  'Edm.GeographyPoint': ["geography'SRID=4326;Point(-79.3 43.6)'"],
  'Edm.GeometryPoint': ["geometry'SRID=0;Point(1 2)'"],
  'Edm.Decimal': ['0', '1.5', '1e6'],
  'Edm.Double': ['0', '1.5', 'INF'],
  'Edm.Single': ['0', '1.5'],
};

/** A model of which nothing is known but itself. */
export function subjectOf(container: EntityContainer, known: Partial<Omit<Subject, 'container'>> = {}): Subject {
  const addressed = Object.values(container.entityTypes).filter(
    ({ entitySet, singleton }) => entitySet !== undefined || singleton !== undefined,
  );
  return {
    container,
    types: addressed,
    restricted: () => [],
    keys: {},
    words: ['a', 'paint'],
    ...known,
    literals: { ...common, ...known.literals },
  };
}

/** A property of a type; half of the time one that is restricted, where it has some. */
export function fieldName(type: Pick<EntityType, 'name' | 'fields'>, random: Random, { restricted, container }: Subject): string {
  const whole = container.entityTypes[type.name];
  const names = whole ? restricted(whole) : [];
  const all = Object.keys(type.fields);
  if (names.length > 0 && random.chance(0.5)) return random.pick(names);
  return all.length === 0 ? 'None' : random.pick(all);
}

/** A literal of a property's type, as an expression has it. */
export function literalOf(field: Field | undefined, random: Random, { literals, container }: Subject): string {
  if (field === undefined) return 'null';
  if (field.enumeration) return `'${random.pick(field.enumeration.members)[0]}'`;
  if (field.complex !== undefined) return complexLiteral(field.complex, random, container);
  return random.pick(literals[field.type] ?? ['0', '1', '2']);
}

// A value of a complex type is a JSON object (URL conventions 5.1.1.14.1).
function complexLiteral(name: string, random: Random, { complexTypes = {} }: EntityContainer): string {
  const fields = Object.keys(complexTypes[name]?.fields ?? {});
  const members = fields
    .filter(() => random.chance(0.6))
    .map((field) => `"${field}":${random.pick(['null', '1', '"a"', 'true', '{}', '[]'])}`);
  return random.pick([`{${members.join(',')}}`, `{"@type":"#${name}"${members.map((member) => `,${member}`).join('')}}`, '{}', 'null']);
}

/** The key of a record that may be there. */
export function keyOf(type: EntityType, random: Random, subject: Subject): string {
  const known = subject.keys[type.name];
  if (known && random.chance(0.95)) return random.pick(known);
  const values = type.key.map((name) => [name, literalOf(type.keyFields?.[name] ?? type.fields[name], random, subject)] as const);
  const [first] = values;
  if (values.length === 1 && first) return random.chance(0.8) ? first[1] : `${first[0]}=${first[1]}`;
  return values.map(([name, literal]) => `${name}=${literal}`).join(',');
}
