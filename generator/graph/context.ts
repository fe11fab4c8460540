import type { Annotation, Csdl } from '../csdl/csdl.js';
import { isOfOasis, knownTerms, shortTerm, terms } from '../csdl/terms.js';
import { isStructured } from '../csdl/map-elements.js';
import { isMisspelt, type Notes } from '../csdl/vocabulary.js';
import { grouped } from '../../runtime/edm/grouped.js';
import { suggestion } from '../../runtime/errors/suggest.js';
import { faults, type Report } from '../faults.js';
import { buildComplexTypes } from './values/build-complex.js';
import { buildEnums } from './values/build-enums.js';
import { targetsOf } from './checks/annotation-targets.js';
import { checkAccess } from './checks/check-access.js';
import { namespaceOf } from '../csdl/names-in.js';
import { buildScope, qualifiedTarget, type Scope } from './names/scope.js';
import type { Context, ValueContext, Names } from './built-model.js';
import { isStream } from './values/value-types.js';
import { localName } from '../../runtime/edm/lookup.js';

/** Resolves names and groups annotations by target. */
export function buildContext(csdl: Csdl, report: Report): Context {
  const scope = buildScope(csdl);
  const isTarget = targetsOf(csdl, scope);
  const outside = new Map<string, Annotation[]>();
  for (const { target, annotations, at } of csdl.schemas.flatMap((schema) => schema.targets)) {
    const path = qualifiedTarget(target, scope.qualify);
    // The target may be in a document that was not read, which is not served.
    if (!isTarget(path) && !scope.isOutside(path.replace(/[/(].*$/s, ''))) report(faults.unknownTarget(at, target));
    if (isTarget(path) && !isElement(path, scope)) refusePermissions(annotations, target, scope, report);
    outside.set(path, [...(outside.get(path) ?? []), ...annotations]);
  }
  const undeclared = new Set<string>();
  const notesOf = (target: string, inline: readonly Annotation[]): Notes => {
    const all = [...inline, ...(outside.get(target) ?? [])].map((note) => ({ ...note, term: scope.qualify(note.term) }));
    for (const note of all) checkTerm(note, scope, undeclared, report);
    const isKept = all.some(({ term }) => term === terms.computed) || isBodyProperty(target, scope);
    for (const note of all) if (note.term === terms.access && note.qualifier === undefined) checkAccess(note, target, isKept, report);
    checkUnique(all, target, report);
    // Qualified annotations are for other readers; only the plain one drives the service.
    return {
      find: (term) => all.find((note) => note.term === term && note.qualifier === undefined),
      misspelt: (term) => all.filter((note) => isMeant(note, term)).map(({ at }) => at),
    };
  };
  const names: Names = { csdl, scope, report, notesOf, leadsSomewhere: (path) => isTarget(qualifiedTarget(path, scope.qualify)) };
  const values: ValueContext = { ...names, enums: buildEnums(names) };
  return { ...values, complexTypes: new Map(buildComplexTypes(csdl, values).map((type) => [type.qualifiedName, type])) };
}

// Whether a target is an element itself, and not the path of an inherited property, or of one within a set or a value.
function isElement(path: string, { definitions }: Scope): boolean {
  const [owner = '', name = '', ...further] = path.split('/').filter((segment) => !segment.startsWith('@'));
  const type = definitions.get(owner);
  if (further.length > 0) return false;
  return name === '' || !isStructured(type) || type.properties.some((property) => property.name === name);
}

// The service has one rule for a property, wherever it occurs.
function refusePermissions(annotations: readonly Annotation[], target: string, scope: Scope, report: Report): void {
  for (const note of annotations.map((one) => ({ ...one, term: scope.qualify(one.term) })))
    if (grants(note)) report(faults.pathPermissions(note.at, shortTerm(note.term), target));
}

// The required key properties of a body, where the service does not generate them.
function isBodyProperty(target: string, scope: Scope): boolean {
  const [owner = '', name, ...further] = target.split('/');
  const type = scope.definitions.get(owner);
  if (type?.kind !== 'EntityType' || further.length > 0 || type.keys.flat().some((key) => key.name === name)) return false;
  return type.properties.some((property) => property.kind === 'Property' && property.name === name && !isStream(property, { scope }));
}

// Terms of vocabularies that are unknown here are for others, if the document declares their namespace; an undeclared one
// is reported once.
function checkTerm({ term, at }: Annotation, scope: Scope, undeclared: Set<string>, report: Report): void {
  const namespace = namespaceOf(term);
  const known = knownTerms.get(namespace);
  const name = localName(term);
  if (known === undefined && namespace !== '' && !scope.isDeclared(term) && !undeclared.has(namespace)) {
    undeclared.add(namespace);
    report(faults.undeclaredTerm(at, term, namespace, suggestion(namespace, [...scope.aliases, ...knownTerms.keys()])));
  }
  if (known === undefined || known.includes(name)) return;
  const meant = suggestion(name, known);
  report(meant === '' && isOfOasis(term) ? faults.newerName(at, `term ${shortTerm(term)}`) : faults.unknownTerm(at, term, meant));
}

function isMeant({ term }: Annotation, meant: string): boolean {
  const namespace = namespaceOf(meant);
  return namespaceOf(term) === namespace && isMisspelt(localName(term), localName(meant), knownTerms.get(namespace));
}

// A second value with the same term and qualifier is ambiguous (CSDL XML 4.01, 14.3). Permissions and row filters are
// never guessed.
function checkUnique(notes: readonly Annotation[], target: string, report: Report): void {
  for (const [first, ...others] of grouped(notes, ({ term, qualifier = '' }) => `${term}#${qualifier}`).values()) {
    for (const note of others) {
      // The overlay comes last; one against an annotation elsewhere (`Annotations Target`) is its fault as well.
      const later = Math.max(first?.at ?? 0, note.at);
      const isGrant = [first, note].some((one) => one && grants(one));
      report(isGrant ? faults.duplicate(later, `the annotation ${note.term}`, target) : faults.repeatedTerm(later, target, note.term));
    }
  }
}

function grants({ term, value }: Annotation): boolean {
  return term === terms.rowRules || term === terms.access || namesPermissions(value);
}

function namesPermissions(value: Annotation['value']): boolean {
  if (value?.kind === 'collection') return value.items.some(namesPermissions);
  return value?.kind === 'record' && value.members.some((member) => member.property === 'Permissions' || namesPermissions(member.value));
}
