import type { Annotatable, Annotation, Csdl, Expression } from '../csdl/csdl.js';
import { grouped } from '../../runtime/edm/grouped.js';
import { shortTerm, terms } from '../csdl/terms.js';
import { qualifiedTarget, type Scope } from '../graph/names/scope.js';
import { isList } from './element.js';

/** The value of an annotation as plain data; paths and constants other than Booleans are text. */
export type Value = null | string | boolean | readonly Value[] | { readonly [member: string]: Value };

/** The annotations of one element, read leniently: a comparison does not validate a model. */
export interface Notes {
  readonly value: (term: string) => Value | undefined;
  readonly text: (term: string) => string | undefined;
  readonly flag: (term: string) => boolean;
  /** A member of a record: a text, a flag or a list of texts. */
  readonly member: (term: string, member: string) => Value | undefined;
  /** Whether an annotation is annotated with a flag. */
  readonly inner: (term: string, flag: string) => boolean;
  /** The annotations that no rule covers, as `term = value`; the covered terms depend on the element. */
  readonly others: (covered?: readonly string[]) => readonly string[];
}

/** Reads the annotations of an element, inline and external; an overload is the target of two paths. */
export function notesReader(csdl: Csdl, scope: Scope): (element: Annotatable, ...paths: readonly string[]) => Notes {
  const targets = csdl.schemas.flatMap((schema) => schema.targets);
  const outside = grouped(targets, ({ target }) => qualifiedTarget(target, scope.qualify));
  return ({ annotations }, ...paths) => {
    const others = paths.flatMap((path) => outside.get(path) ?? []);
    return readNotes([...annotations, ...others.flatMap((one) => one.annotations)], scope);
  };
}

/** The texts of a list, or a single text as a list. */
export function textsOf(value: Value | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  return isList(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The records of a list. */
export function recordsOf(value: Value | undefined): readonly { readonly [member: string]: Value }[] {
  return isList(value) ? value.flatMap((item) => (isRecord(item) ? [item] : [])) : [];
}

/** Whether an annotation's value is a record. */
export function isRecord(value: Value | undefined): value is { readonly [member: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of an annotation's value. */
export function memberOf(record: Value | undefined, name: string): Value | undefined {
  return isRecord(record) && Object.hasOwn(record, name) ? record[name] : undefined;
}

function readNotes(annotations: readonly Annotation[], scope: Scope): Notes {
  const plain = annotations.filter(({ qualifier }) => qualifier === undefined);
  const value = (term: string): Value | undefined => {
    const found = plain.find((note) => scope.qualify(note.term) === term);
    if (found === undefined) return undefined;
    return found.value === undefined ? true : valueOf(found.value, scope);
  };
  return {
    value,
    member: (term, name) => memberOf(value(term), name),
    text: (term) => {
      const found = value(term);
      return typeof found === 'string' ? found : undefined;
    },
    flag: (term) => value(term) === true,
    inner: (term, flag) => plain.some((note) => scope.qualify(note.term) === term && readNotes(note.annotations, scope).flag(flag)),
    others: (known = []) =>
      annotations
        .filter(
          ({ term, qualifier }) =>
            qualifier !== undefined || (!understood.has(scope.qualify(term)) && !known.includes(scope.qualify(term))),
        )
        .map((note) => printNote(note, scope)),
  };
}

function printNote({ term, qualifier, value }: Annotation, scope: Scope): string {
  const name = `${shortTerm(scope.qualify(term))}${qualifier === undefined ? '' : `#${qualifier}`}`;
  return `${name} = ${JSON.stringify(value === undefined ? true : valueOf(value, scope))}`;
}

const understood: ReadonlySet<string> = new Set([
  terms.description,
  terms.longDescription,
  terms.computed,
  terms.computedDefault,
  terms.immutable,
  terms.insert,
  terms.update,
  terms.delete,
  terms.read,
  terms.filter,
  terms.sort,
  terms.search,
  terms.expand,
  terms.defaultCapabilities,
  terms.allowedValues,
  terms.minimum,
  terms.maximum,
  terms.pattern,
  terms.limits,
  terms.keyGeneration,
  terms.generated,
  terms.transitions,
  terms.indexes,
  terms.rowRules,
  terms.searchable,
  terms.renamedFrom,
  terms.filterFunctions,
  terms.optimisticConcurrency,
  terms.navigation,
  terms.operation,
  terms.deletesTarget,
  terms.ordered,
]);

function valueOf(expression: Expression, scope: Scope): Value {
  const nested = (part: Expression): Value => valueOf(part, scope);
  switch (expression.kind) {
    case 'constant':
      if (expression.type === 'Bool') return ['true', '1'].includes(expression.value.trim());
      return expression.type === 'EnumMember' ? qualifiedMembers(expression.value, scope) : expression.value;
    case 'path':
      return expression.value;
    case 'null':
      return null;
    case 'collection':
      return expression.items.map(nested);
    case 'record':
      return Object.fromEntries(expression.members.map(({ property, value }) => [property, value === undefined ? true : nested(value)]));
    case 'operator':
      return { [`$${expression.operator}`]: expression.operands.map(nested) };
    case 'apply':
      return { $Function: expression.function, $Apply: expression.operands.map(nested) };
    case 'cast':
    case 'isOf':
      return { [`$${expression.kind}`]: expression.operand === undefined ? null : nested(expression.operand), $Type: expression.type };
    case 'label':
      return { $Name: expression.name, $LabeledElement: expression.operand === undefined ? null : nested(expression.operand) };
    case 'labelReference':
      return { $LabeledElementReference: expression.name };
  }
}

// Members name their type each, with its namespace or the alias of that (CSDL XML 4.01, 14.3.8).
function qualifiedMembers(text: string, scope: Scope): string {
  const members = text.split(' ').map((member) => member.split('/'));
  return members.map(([type = '', ...name]) => [scope.qualify(type), ...name].join('/')).join(' ');
}
