import type { Annotatable, Named } from '../csdl/csdl.js';
import { terms } from '../csdl/terms.js';
import type { Scope } from '../graph/names/scope.js';
import type { Notes } from './notes.js';
import type { RuleId } from './rules.js';

/** The kinds of elements. */
export type ElementKind =
  | 'EntityType'
  | 'ComplexType'
  | 'EnumType'
  | 'TypeDefinition'
  | 'Property'
  | 'NavigationProperty'
  | 'Member'
  | 'EntityContainer'
  | 'EntitySet'
  | 'Singleton'
  | 'ActionImport'
  | 'FunctionImport'
  | 'Action'
  | 'Function'
  | 'Parameter';

/** A fact about an element: one value, or a list whose order does not matter. */
export type Fact = string | number | boolean | undefined | readonly string[];

/** Whether a fact is a list. */
export function isList<Value>(fact: Value): fact is Extract<Value, readonly unknown[]> {
  return Array.isArray(fact);
}

/** The path of an operation without the types that distinguish it from its overloads. */
export function withoutSignature(path: string): string {
  return path.replace(/\(.*$/, '');
}

/** The facts of an element, by the names that rules use. */
export type Facts = { readonly [name: string]: Fact };

/** A named element with all that clients, types or tables can see of it; names are qualified. */
export interface Element {
  readonly kind: ElementKind;
  /** `Namespace.Type`, `Namespace.Type/Property`, `Namespace.Container/Set`. */
  readonly path: string;
  readonly parent: string | undefined;
  readonly name: string;
  readonly at: number;
  readonly facts: Facts;
  /** Its earlier path, from Rules.RenamedFrom. */
  readonly renamedFrom: string | undefined;
}

/** The context that the parts of a surface are read with. */
export interface SurfaceContext {
  readonly scope: Scope;
  readonly notesOf: (element: Annotatable, ...paths: readonly string[]) => Notes;
}

/** Creates an element with the facts that every kind has. */
export function makeElement(kind: ElementKind, parent: string | undefined, item: Named, path: string, facts: Facts, notes: Notes): Element {
  const former = notes.text(terms.renamedFrom);
  const before = former === undefined ? undefined : path.slice(0, path.length - item.name.length) + former;
  const common: Facts = {
    description: [notes.text(terms.description), notes.text(terms.longDescription)].join('\n'),
    annotations: notes.others(),
  };
  return { kind, path, parent, name: item.name, at: item.at, facts: { ...facts, ...common }, renamedFrom: before };
}

/** An element of the old model and its counterpart in the new one. */
export interface Pair {
  readonly before: Element;
  readonly after: Element;
  /** The rule that matches them, if their paths differ in more than the parents. */
  readonly rule: RuleId | undefined;
}
