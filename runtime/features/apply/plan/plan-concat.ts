import { constant } from '../../../plan/expr-facts.js';
import { type EntityType, type Field, fieldOf, isArray, navigationOf, primitives, type PrimitiveTypeName } from '../../../edm/index.js';
import { nestedNavigationOf } from '../../../plan/path/nested-path.js';
import { errors } from '../../../errors/catalogue.js';
import type { ConcatBranch, ConcatCell } from './apply-plan.js';
import { asUntyped, literal } from '../../../plan/value/check-literal.js';
import { resolvePath } from '../../../plan/check/check-path.js';
import { storedExpr } from '../../../plan/check/property-expr.js';
import { columnAt, isDynamic, scopeOver, transformedType, type Progress, type Relation, type RelationColumn } from './relation.js';
import type { Scope } from '../../../plan/scope.js';
import type { TypedExpr } from '../../../plan/typed-expr.js';

/** A sequence of `concat`, planned; its aliases are its own. */
interface Branch {
  readonly alias: string;
  readonly progress: Progress;
}

/** Plans `concat`: the results of several sequences over the same set, one after the other (Data Aggregation 3.2.2). */
export function planConcat(sequences: readonly ((before: Progress) => Progress)[], progress: Progress, around: Scope): Progress {
  const { aliases } = around;
  const alias = aliases.next();
  const start: Progress = { relation: progress.relation, steps: [] };
  const branches = sequences.map((plan) => ({ progress: plan(start), alias: aliases.next() }));
  const records = keepRecords(branches);
  const some = branches.some(mayHaveRecords);
  const columns = [...sharedColumns(branches, alias, around, records), ...identityColumns(branches, alias)];
  const table = progress.relation.base.table;
  const cells = branches.map((branch, index) => cellsOf(branch, index, columns));
  const step = { kind: 'concat', alias, branches: cells, ...(some && { table }) } as const;
  return {
    relation: { ...(records ? recordsOf : relationOf)(progress.relation, columns), ...(some && !records && { mixed: true }) },
    steps: [...progress.steps, step],
  };
}

function mayHaveRecords({ progress: { relation } }: Branch): boolean {
  return relation.entity || relation.mixed === true;
}

// Whether every sequence gives whole records, with the same properties added: they stay what they are (Data Aggregation 3.3).
function keepRecords(branches: readonly Branch[]): boolean {
  const added = branches.map(({ progress: { relation } }) =>
    relation.entity ? Object.keys(relation.type.fields).filter((name) => isDynamic(relation, name)) : undefined,
  );
  const [first] = added;
  return first !== undefined && added.every((names) => names?.length === first.length && names.every((name) => first.includes(name)));
}

/** A column of the whole, and where each sequence has it. */
interface SharedColumn extends RelationColumn {
  readonly role: 'property' | 'presence' | 'number' | 'order' | 'identity';
  /** Of the role `order`. */
  readonly descending?: boolean;
  readonly name: string;
  readonly field: Field;
  readonly value: (branch: Branch, index: number) => TypedExpr | undefined;
}

function sharedColumns(branches: readonly Branch[], alias: string, scope: Scope, records: boolean): readonly SharedColumn[] {
  const names = new Set(
    branches.flatMap(({ progress: { relation } }) =>
      Object.keys(relation.type.fields).filter((name) => !records || isDynamic(relation, name)),
    ),
  );
  return [...names].flatMap((name, index) => {
    const property = sharedColumn(name, `#.${alias}.c${index}`, branches, scope);
    const everywhere = branches.every(({ progress: { relation } }) => fieldOf(relation.type, name) && !relation.presence.has(name));
    return everywhere ? [property] : [property, presenceColumn(name, `#.${alias}.p${index}`)];
  });
}

function sharedColumn(name: string, column: string, branches: readonly Branch[], scope: Scope): SharedColumn {
  const fields = branches.flatMap(({ progress }) => fieldOf(progress.relation.type, name) ?? []);
  const type = commonType(name, fields, scope);
  const nullable = fields.length < branches.length || fields.some((field) => field.nullable);
  const { more: _, ...facts } = fields[0] ?? {};
  const field: Field = { ...facts, type, column, ...(nullable && { nullable: true }) };
  return { role: 'property', name, column, type, nullable, field, value: (branch) => cell(branch, name) ?? reached(branch, name, scope) };
}

function cell({ alias, progress: { relation } }: Branch, name: string): TypedExpr | undefined {
  const field = fieldOf(relation.type, name);
  return field && { ...storedExpr({ alias, type: relation.type }, name, field), nullable: true };
}

// A path by which one sequence grouped may exist as a navigation property in another.
function reached({ alias, progress: { relation } }: Branch, name: string, scope: Scope): TypedExpr | undefined {
  const names = name.split('/');
  if (names.length === 1 || !isAvailable(names, relation, scope)) return undefined;
  const path = names.map((segment) => ({ name: segment, at: 0 }));
  const target = resolvePath({ kind: 'member', at: 0, path }, scopeOver(relation, alias, scope));
  return target.kind === 'value' ? asUntyped(target.expr) : undefined;
}

// Whether the beginning of a base type's path is still available, as a value or a link.
function isAvailable(names: readonly string[], { type, base, entity }: Relation, { container }: Scope): boolean {
  const [first = ''] = names;
  if (first.includes('.')) return entity;
  const nested = nestedNavigationOf(base, names, container);
  return nested
    ? navigationOf(type, nested.path) !== undefined
    : navigationOf(type, first) !== undefined || fieldOf(type, first) !== undefined;
}

function presenceColumn(name: string, column: string): SharedColumn {
  const field: Field = { type: 'Edm.Boolean', column };
  return { role: 'presence', name, column, type: 'Edm.Boolean', nullable: false, field, value: (branch) => presenceOf(branch, name) };
}

function presenceOf({ alias, progress: { relation } }: Branch, name: string): TypedExpr {
  const flag = relation.presence.get(name);
  if (flag !== undefined) return columnAt(alias, { column: flag, type: 'Edm.Boolean', nullable: false });
  return constant(fieldOf(relation.type, name) !== undefined);
}

// The sequence's number, followed by the columns that order and identify its rows; each sequence has separate ones.
function identityColumns(branches: readonly Branch[], alias: string): readonly SharedColumn[] {
  const number = identityColumn('number', `#.${alias}.b`, { column: '', type: 'Edm.Int32', nullable: false }, (_, index) =>
    literal('Edm.Int32', String(index)),
  );
  return [
    number,
    ...branches.flatMap(({ progress: { relation } }, owner) =>
      [...relation.order, ...relation.identity].map((column, index): SharedColumn => {
        const role = index < relation.order.length ? 'order' : 'identity';
        const own = identityColumn(role, `#.${alias}.i${owner}.${index}`, { ...column, nullable: true }, (branch, at) =>
          at === owner ? columnAt(branch.alias, column) : undefined,
        );
        return 'descending' in column && column.descending ? { ...own, descending: true } : own;
      }),
    ),
  ];
}

function identityColumn(
  role: SharedColumn['role'],
  column: string,
  { type, nullable }: RelationColumn,
  value: SharedColumn['value'],
): SharedColumn {
  return { role, name: '', column, type, nullable, field: { type }, value };
}

// A property of several sequences has one type in all of them; numbers are promoted.
function commonType(name: string, fields: readonly Field[], scope: Scope): PrimitiveTypeName {
  const types = [...new Set(fields.map(({ type }) => type))];
  const names = [...new Set(fields.map(({ type, enumeration }) => enumeration?.qualifiedName ?? type))];
  if (names.length > 1 && fields.some(({ enumeration }) => enumeration))
    throw errors.typeMismatch(`${name} has different types in the sequences of concat: ${names.join(', ')}.`).at(scope.option);
  const [first = 'Edm.String'] = types;
  if (types.length === 1 && new Set(fields.map(({ collection }) => collection)).size === 1) return first;
  const ranks = types.map((type) => primitives[type].rank);
  if (ranks.includes(undefined))
    throw errors.typeMismatch(`${name} has different types in the sequences of concat: ${types.join(', ')}.`).at(scope.option);
  return Math.max(...ranks.map((rank) => rank ?? 0)) > 5 ? 'Edm.Double' : 'Edm.Decimal';
}

function cellsOf(branch: Branch, index: number, columns: readonly SharedColumn[]): ConcatBranch {
  const cells = columns.map(({ column, field, type, value }): ConcatCell => {
    const found = value(branch, index);
    return { column, sqlType: `${primitives[type].sql}${isArray(field) ? '[]' : ''}`, ...(found && { value: found }) };
  });
  return { alias: branch.alias, steps: branch.progress.steps, cells, records: mayHaveRecords(branch) };
}

function relationOf({ type, base }: Relation, columns: readonly SharedColumn[]): Relation {
  const presence = new Map(ofRole('presence', columns).map(({ name, column }) => [name, column]));
  return {
    type: transformedType(type, fieldsOf(columns)),
    base,
    entity: false,
    ...arrangementOf(columns),
    presence,
  };
}

function recordsOf({ base }: Relation, columns: readonly SharedColumn[]): Relation {
  const type = { ...base, fields: { ...base.fields, ...fieldsOf(columns) } };
  return { type, base, entity: true, ...arrangementOf(columns), presence: new Map() };
}

function ofRole(role: SharedColumn['role'], columns: readonly SharedColumn[]): readonly SharedColumn[] {
  return columns.filter((column) => column.role === role);
}

function fieldsOf(columns: readonly SharedColumn[]): EntityType['fields'] {
  return Object.fromEntries(ofRole('property', columns).map(({ name, field }) => [name, field]));
}

// Sequences follow one another, each in its own order (Data Aggregation 3.2.2).
function arrangementOf(columns: readonly SharedColumn[]): Pick<Relation, 'order' | 'identity'> {
  const number = ofRole('number', columns);
  const bare = ({ column, type, nullable }: SharedColumn): RelationColumn => ({ column, type, nullable });
  return {
    order: [...number, ...ofRole('order', columns)].map((one) => ({ ...bare(one), descending: one.descending ?? false })),
    identity: [...number, ...ofRole('identity', columns)].map(bare),
  };
}
