import { createHash } from 'node:crypto';
import type { Field } from '../../runtime/edm/field.js';
import { memoized } from '../../runtime/edm/memoized.js';
import { literal } from '../../runtime/schema/identifier.js';
import type { Column, ComplexHint, Table, ValueMember } from '../../runtime/schema/schema.js';
import type { ComplexNode, EntityNode, FieldNode, ModelGraph } from '../graph/model-graph.js';
import { mapColumns } from '../map-columns.js';
import { scalarType, sharedType } from './column-type.js';
import { complexColumns } from './value-types.js';

/**
 * The limit of described members per column. Beyond it types are described by a hash, since nested types multiply; so
 * are types that lie within themselves.
 */
const mostMembers = 1_000;

/** Members in a schema, over all its columns. */
const allMembers = 300_000;

/** Describes the complex values in tables' columns, which the database does not check. */
export function valueMembersOf(
  tables: readonly EntityNode[],
  complexTypes: ModelGraph['complexTypes'],
): (table: Table, entity: EntityNode) => Table {
  const [shapes, room] = [shapesOf(complexTypes, new Set(tables.map(({ table }) => table))), roomIn(tables)];
  const withinOf = (complex: string | undefined): readonly ValueMember[] =>
    complex === undefined ? [] : membersOf(complex, { prefix: '', isDeep: shapes.sizeOf(complex) <= room, shapes });
  return (table, { fields }) => {
    const byColumn = complexColumns(fields);
    if (byColumn.size === 0) return table;
    return mapColumns(table, (column) => {
      const complex = byColumn.get(column.name);
      const within = withinOf(complex);
      return { ...column, ...(within.length > 0 && { within }), ...(complex !== undefined && shapes.hintOf(complex)) };
    });
  };
}

// The limit of described members for each column.
function roomIn(entities: readonly EntityNode[]): number {
  const columns = entities.reduce((sum, { fields }) => sum + fields.filter(({ field }) => field.complex !== undefined).length, 1);
  return Math.min(mostMembers, Math.floor(allMembers / columns));
}

interface Place {
  /** The path to the value, with a slash at its end. */
  readonly prefix: string;
  /** Whether nested types are described member by member. */
  readonly isDeep: boolean;
  readonly shapes: Shapes;
}

// The members of the type, and those of derived types after a cast.
function membersOf(name: string, place: Place): readonly ValueMember[] {
  const [type, ...derived] = place.shapes.linesOf(name);
  if (type === undefined) return [];
  const isOwn = (one: ComplexNode, field: FieldNode): boolean =>
    !place.shapes.linesOf(one.base ?? '')[0]?.fields.some((other) => other.name === field.name);
  return [
    ...type.fields.flatMap((field) => memberOf(field, place, undefined)),
    ...derived.flatMap((one) =>
      one.fields
        .filter((field) => isOwn(one, field))
        .flatMap((field) =>
          memberOf(field, { ...place, prefix: `${place.prefix}${one.qualifiedName}/` }, [one.qualifiedName, ...one.derivedTypes]),
        ),
    ),
  ];
}

function memberOf(node: FieldNode, { prefix, ...place }: Place, of: readonly string[] | undefined): readonly ValueMember[] {
  const { name, field, enumeration } = node;
  const path = `${prefix}${name}`;
  const type =
    enumeration !== undefined
      ? 'enumeration'
      : field.complex === undefined || place.isDeep
        ? field.type
        : `${field.type} ${place.shapes.hashOf(field.complex)}`;
  const own: ValueMember = {
    path,
    type: field.collection ? `Collection(${type})` : type,
    ...(!field.nullable && !field.collection && { notNull: true }),
    ...facetsOf(field),
    ...(field.type === 'Edm.Binary' && { edm: sharedType(field) ?? field.type }),
    ...valuesOf(field),
    ...limitsOf(field),
    ...(of && { of }),
    ...(field.default !== undefined && { fill: literal(field.default) }),
    ...(field.complex !== undefined && place.shapes.hintOf(field.complex)),
  };
  return [own, ...(field.complex === undefined || !place.isDeep ? [] : membersOf(field.complex, { ...place, prefix: `${path}/` }))];
}

/** The members of an enumeration, or the closed list of texts. */
export function valuesOf({ type, enumeration, allowedValues }: Field): Pick<Column, 'members' | 'flags' | 'allowed'> {
  if (enumeration === undefined) return type === 'Edm.String' && allowedValues ? { allowed: allowedValues } : {};
  return { members: Object.fromEntries(enumeration.members), ...(enumeration.flags && { flags: true as const }) };
}

/** The range of values, a hint for migrations. */
export function limitsOf({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: Field): Pick<Column, 'limits'> {
  if (minimum === undefined && maximum === undefined) return {};
  return {
    limits: {
      ...(minimum !== undefined && { minimum, ...(exclusiveMinimum && { exclusiveMinimum }) }),
      ...(maximum !== undefined && { maximum, ...(exclusiveMaximum && { exclusiveMaximum }) }),
    },
  };
}

function facetsOf(field: Field): Pick<ValueMember, 'sql' | 'nullItems'> {
  const sql = scalarType(field);
  return { ...(field.enumeration === undefined && /\d\)$/.test(sql) && { sql }), ...(field.nullableItems && { nullItems: true }) };
}

/** The structure of types, computed once each. */
interface Shapes {
  /** The type of that name, and those that derive from it. */
  readonly linesOf: (type: string) => readonly ComplexNode[];
  /** The number of members of its values, described one by one. */
  readonly sizeOf: (type: string) => number;
  /** Another one where anything within is another. */
  readonly hashOf: (type: string) => string;
  /** The hint on the type. */
  readonly hintOf: (type: string) => Pick<Column, 'complex'>;
}

/** Types within each other that are looked at, so that no chain of them fills the stack. */
const deepest = 500;

function shapesOf(complexTypes: readonly ComplexNode[], tables: ReadonlySet<string>): Shapes {
  const byName = new Map(complexTypes.map((type) => [type.qualifiedName, type]));
  const linesOf = (name: string): readonly ComplexNode[] =>
    [name, ...(byName.get(name)?.derivedTypes ?? [])].flatMap((one) => byName.get(one) ?? []);
  const sizes = new Map<string, number>();
  const sizeOf = (name: string, depth = 0): number => {
    const known = depth > deepest ? Infinity : sizes.get(name);
    if (known !== undefined) return known;
    // Values of a type that lies within itself have any number.
    sizes.set(name, Infinity);
    const size = linesOf(name)
      .flatMap(({ fields }) => fields)
      .reduce((sum, { field }) => sum + 1 + (field.complex === undefined ? 0 : sizeOf(field.complex, depth + 1)), 0);
    sizes.set(name, size);
    return size;
  };
  return { linesOf, sizeOf: (type) => sizeOf(type), hashOf: hasher(linesOf), hintOf: hinter(byName, tables) };
}

function hinter(byName: ReadonlyMap<string, ComplexNode>, tables: ReadonlySet<string>): Shapes['hintOf'] {
  const names = [...byName.values()].map(({ name }) => name);
  const shown = (type: string, name: string): string => (tables.has(name) || names.indexOf(name) !== names.lastIndexOf(name) ? type : name);
  const hintOf = memoized(({ name, qualifiedName, base, open, derivedTypes }: ComplexNode): ComplexHint => {
    const above = byName.get(base ?? '');
    const types = [qualifiedName, ...(above === undefined ? [] : hintOf(above).types)];
    return {
      name: shown(qualifiedName, name),
      types,
      ...([open, ...derivedTypes.map((type) => byName.get(type)?.open)].includes(true) && { open: true }),
    };
  });
  return (type) => {
    const node = byName.get(type);
    return node === undefined ? {} : { complex: hintOf(node) };
  };
}

function hasher(linesOf: Shapes['linesOf']): Shapes['hashOf'] {
  const found = new Map<string, string>();
  // In the order of the type's own members, so that other types do not change it.
  const hashIn = (name: string, hashes: Map<string, string>, depth: number): string => {
    const known = depth > deepest ? 'deeper' : hashes.get(name);
    if (known !== undefined) return known;
    hashes.set(name, '');
    const printed = linesOf(name).map((type) => [
      type.qualifiedName,
      type.fields.map(({ name: member, field }) => [
        member,
        field.type,
        field.collection,
        field.nullable,
        field.enumeration?.members,
        field.allowedValues,
        facetsOf(field),
        field.complex && hashIn(field.complex, hashes, depth + 1),
      ]),
    ]);
    const hash = createHash('sha256').update(JSON.stringify(printed)).digest('hex').slice(0, 12);
    hashes.set(name, hash);
    return hash;
  };
  return (type) => {
    const hash = found.get(type) ?? hashIn(type, new Map(), 0);
    found.set(type, hash);
    return hash;
  };
}
