import type { Fault } from './model-error.js';

/** Collects the findings of all passes, so that one fault never hides another. */
export type Report = (fault: Fault) => void;

// oxfmt-ignore
/** Every fault of a model, one row a code. A code is never reused. */
export const faults = {
  // Reading: the file as text and XML.
  notUtf8: rule('CSDL001', (what) => `The file is not UTF-8: ${what}.`, 'Save it as UTF-8.'),
  malformed: rule('CSDL002', (what) => `The file is not well-formed XML: ${what}`, 'Correct the markup here or just before.'),
  doctype: rule('CSDL003', () => 'A document type declaration is not allowed.', 'Remove everything from <!DOCTYPE to its >.'),
  limit: rule('CSDL004', (what, limit) => `The model has more than ${limit} ${what}.`, 'Split the model, or remove what it does not need.'),
  entity: rule('CSDL005', (text) => `${text} is not a known character reference.`, 'Write & itself as &amp; (the others are &lt; &gt; &quot; &apos; and numbers such as &#233;).'),
  unmerged: rule('CSDL099', () => 'The file has the conflict markers of a merge.', 'Finish the merge: keep the correct parts of both sides, and remove the lines of <<<<<<<, ======= and >>>>>>>.'),
  // Structure: the document as CSDL.
  notOData4: rule('CSDL006', (what) => `This is not an OData 4 model: ${what}.`, (_what, hint) => hint || 'Start from <edmx:Edmx Version="4.01"> with the namespaces of OData 4.'),
  unknownElement: rule('CSDL007', (name, parent) => `${name} is not an element of ${parent}.`, (_name, _parent, hint) => hint || 'Remove it or correct its name.'),
  unknownAttribute: rule('CSDL008', (name, element) => `${element} has no attribute ${name}.`, (_name, _element, hint) => hint || 'Remove it or correct its name.'),
  missingAttribute: rule('CSDL009', (name, element) => `${element} needs the attribute ${name}.`, (name) => `Add ${name}="...".`),
  invalidAttribute: rule('CSDL010', (owner, name, value) => `${owner}: ${name} '${value}' is not valid.`, (_owner, _name, _value, hint) => hint),
  invalidIdentifier: rule('CSDL011', (name) => `'${name}' is not an OData identifier.`, 'Use a letter or _, then letters, digits or _, at most 128 characters.'),
  spacedName: rule('CSDL145', (name, trimmed) => `The name '${name}' has spaces around ${trimmed}.`, 'Remove the spaces.'),
  hyphenName: rule('CSDL149', (name) => `'${name}' is not an OData identifier.`, (_name, read) => `Use ${read}, which lenient mode reads.`),
  duplicate: rule('CSDL012', (what, owner) => `${owner} has ${what} twice.`, 'Rename or remove one of the two.'),
  repeatedKey: rule('CSDL157', (type) => `Entity type ${type} repeats its inherited key.`, 'Remove the key.'),
  // References: every name resolved.
  entityProperty: rule('CSDL137', (owner, type) => `${owner} is a property with the entity type ${type}.`, 'Use <NavigationProperty> for entities.'),
  unknownNamespace: rule('CSDL013', (name, namespace) => `${name}: the namespace or alias ${namespace} is unknown.`, (_name, _namespace, hint) => hint || 'Declare it in a Schema or in an edmx:Include.'),
  unknownType: rule('CSDL014', (owner, type) => `${owner}: the type ${type} is not defined.`, (_owner, _type, hint) => hint || 'Define it or correct its name.'),
  missingKey: rule('CSDL015', (type, why) => `Entity type ${type} has no key${why}.`, (_type, _why, hint) => hint || 'Add <Key><PropertyRef Name="..."/></Key> with a property that is not nullable.'),
  unknownKey: rule('CSDL016', (type, name) => `The key of ${type} names ${name}, which is not a property of the type.`, (_type, _name, hint) => hint || 'Name a property of this type.'),
  nullableKey: rule('CSDL017', (type, name) => `The key property ${type}/${name} is nullable.`, 'Add Nullable="false" to the property.'),
  keyType: rule('CSDL018', (type, name, kind) => `The key property ${type}/${name} is ${kind}, which cannot be a key.`, 'Use a string, a whole number, a GUID, a date or a Boolean.'),
  notSupported: rule('CSDL019', (what) => `${what}: not supported.`, (_what, hint) => hint),
  unknownProperty: rule('CSDL020', (term, name, type) => `${term}: ${type} has no property ${name}.`, (_term, _name, _type, hint) => hint || 'Correct the path.'),
  unknownNavigation: rule('CSDL021', (term, name, type) => `${term}: ${type} has no navigation property ${name}.`, (_term, _name, _type, hint) => hint || 'Correct the path.'),
  partner: rule('CSDL022', (owner, partner, why) => `${owner}: the partner ${partner} ${why}.`, (_owner, _partner, _why, hint) => hint || 'Let the two navigation properties name each other.'),
  binding: rule('CSDL023', (set, path, why) => `The binding of ${set}/${path} ${why}.`, (_set, _path, _why, hint) => hint),
  constraintProperty: rule('CSDL024', (owner, name, type) => `${owner}: the referential constraint names ${name}, which is not a property of ${type}.`, (_owner, _name, _type, hint) => hint || 'Name a property.'),
  constraintType: rule('CSDL025', (owner, left, right) => `${owner}: the referential constraint joins ${left} and ${right}.`, 'Give both properties the same type.'),
  constraintWidth: rule('CSDL138', (owner, left, right) => `${owner}: the referential constraint joins ${left} and ${right}, and one type has numbers that the other lacks.`, 'Give both properties the same type.'),
  constraintKey: rule('CSDL026', (owner, type) => `${owner}: the referential constraint does not name exactly the key properties of ${type}.`, 'Name each key property once; otherwise a hidden column joins the records, and the properties are not kept equal.'),
  sharedProperty: rule('CSDL148', (property, navigation) => `${property} has the key of the one of ${navigation} that is set; setting one empties the others.`, 'Nothing is to be done if that is meant; otherwise give each its own property.'),
  constraintContained: rule('CSDL098', (owner, type) => `${owner}: the referential constraint references contained records of ${type}, whose keys are unique only within their parents.`, 'Remove the constraint, and a hidden column joins the records.'),
  constraintLeft: rule('CSDL116', (owner, why) => `${owner}: the referential constraint cannot be supported, since ${why}.`, 'Omit it, and the service joins the records by hidden numbers.'),
  noJoin: rule('CSDL027', (owner) => `${owner}: nothing defines how the records are joined.`, 'If properties hold the key, add a ReferentialConstraint, a Partner that has one, or a foreignKey in the overlay.'),
  entitySet: rule('CSDL028', (set, type) => `Entity set ${set}: ${type} is not an entity type.`, (_set, _type, hint) => hint || 'Name an entity type of this model.'),
  singleton: rule('CSDL087', (name, type) => `Singleton ${name}: ${type} is not an entity type.`, (_name, _type, hint) => hint || 'Name an entity type of this model.'),
  noContainer: rule('CSDL029', () => 'The model has no entity container with an entity set.', 'Add <EntityContainer Name="Container"> with an <EntitySet>.'),
  // Values: annotations and facets.
  state: rule('CSDL030', (owner, state) => `${owner}: '${state}' is not one of its allowed values.`, (_owner, _state, hint) => hint || 'List it in Validation.AllowedValues, or correct it.'),
  noStates: rule('CSDL031', (owner, what) => `${owner}: Rules.Transitions needs ${what}.`, (_owner, what) => `Add ${what} to the property.`),
  value: rule('CSDL032', (owner, value, why) => `${owner}: the value '${value}' ${why}.`, 'Correct the value, or the type and facets of the property.'),
  defaultValue: rule('CSDL033', (owner, value, why) => `${owner}: the default value '${value}' ${why}.`, 'Correct DefaultValue, or the type and facets of the property.'),
  facet: rule('CSDL034', (owner, facet, type) => `${owner}: ${facet} does not apply to ${type}.`, 'Remove the facet.'),
  defaultLeft: rule('CSDL117', (owner, type) => `${owner}: the service sets no default value of the type ${type}.`, 'Omit DefaultValue, or let clients send the value.'),
  annotationValue: rule('CSDL035', (term, wanted) => `${term} needs ${wanted}.`, 'Write it as a constant.'),
  computedValue: rule('CSDL110', (term, by) => `${term} is computed by ${by}, but the service reads constants only.`, 'A permission in it grants nothing, and anything else is ignored; write a constant.'),
  partOfValue: rule('CSDL111', (term, path, what) => `${term} names ${path}, but the service has one rule for the whole property: ${what}.`, 'If the whole property is meant, name the first property of the path.'),
  openList: rule('CSDL113', (scope, type) => `The RestrictedProperties of ${scope} list visible properties, but ${type} is open and has properties that no list can name (OpenType).`, "Write '*' and the hidden properties, such as '*,-PrivateRemarks'."),
  hidesUnknown: rule('CSDL132', (scope, path, type) => `The RestrictedProperties of ${scope} hide ${path}, but ${type} has no such property.`, (_scope, _path, _type, hint) => hint || 'Correct the path.'),
  unreadable: rule('CSDL120', (target) => `${target} must not be read (Core.Permissions), but every caller who may read its records can read it.`, 'Remove it from the model, or hide it from the scopes that read (RestrictedProperties).'),
  unwritable: rule('CSDL121', (target) => `${target} is read-only (Core.Permissions), but every caller who may change its records can change it.`, 'Use Core.Computed or Core.Immutable for a property, and UpdateRestrictions for a set.'),
  pathPermissions: rule('CSDL156', (term, target) => `${term} has no effect at ${target}: the service has one rule for a property, wherever it occurs.`, 'Annotate the property where it is declared, or hide it from the scopes that read (RestrictedProperties).'),
  unknownTerm: rule('CSDL036', (term) => `The vocabulary has no term ${term}.`, (_term, hint) => hint || 'Correct the name of the term.'),
  newerName: rule('CSDL115', (what) => `The known version of the vocabulary has no ${what}: it has no effect here.`, 'Correct the name, unless a newer vocabulary has it.'),
  undeclaredTerm: rule('CSDL147', (term, namespace) => `The annotation ${term} has no effect: the namespace or alias ${namespace} is unknown.`, (_term, _namespace, hint) => hint || 'Declare it in an edmx:Include or a Schema.'),
  repeatedTerm: rule('CSDL146', (owner, term) => `${owner} has the annotation ${term} twice.`, 'Remove one of the two, or give it a Qualifier.'),
  unknownMember: rule('CSDL037', (term, member) => `${term} has no member ${member}.`, (_term, _member, hint) => hint || 'Correct the name of the member.'),
  unknownTarget: rule('CSDL038', (target) => `Annotations: the target ${target} does not exist.`, 'Name a type, a property, the container or an entity set of this model.'),
  columnClash: rule('CSDL039', (type, column) => `Two properties of ${type} would be stored in the column ${column}.`, 'Rename one of them.'),
  pattern: rule('CSDL040', (owner, pattern) => `${owner}: the pattern ${pattern} is not a regular expression.`, 'Write an ECMAScript regular expression.'),
  generated: rule('CSDL041', (owner, why) => `${owner}: ${why}.`, (_owner, _why, hint) => hint),
  navigationType: rule('CSDL042', (owner, type) => `${owner}: a navigation property needs an entity type, but ${type} is none.`, 'Use <Property> for values.'),
  memberValue: rule('CSDL158', (name, why) => `Enumeration ${name} ${why}.`, (_name, _why, hint) => hint),
  uncheckedRule: rule('CSDL159', (owner, term) => `${owner} has the annotation ${term}, which the service does not check: it accepts other values.`, 'Check it in an extension of the type, or leave it out.'),
  enumType: rule('CSDL050', (name, why) => `Enumeration ${name} ${why}.`, (_name, _why, hint) => hint),
  // Reading, continued: JSON, versions, references.
  malformedJson: rule('CSDL070', (what) => `The file is not well-formed JSON: ${what}.`, 'Correct the text here or just before.'),
  misspeltMember: rule('CSDL155', (owner, name) => `${owner} has no member ${name}.`, (_owner, _name, meant) => `Did you mean ${meant}?`),
  jsonValue: rule('CSDL071', (name, wanted) => `${name} must be ${wanted}.`, 'Follow CSDL JSON 4.01.'),
  olderVersion: rule('CSDL072', (what) => `This is not an OData 4 model: ${what}.`, 'Convert it to OData 4 first; version 3 has associations, where 4 has navigation properties with partners.'),
  foreignAttribute: rule('CSDL073', (name, element) => `${element} has the attribute ${name} of another namespace.`, 'Remove it, or use an annotation.'),
  content: rule('CSDL074', (element) => `The children of ${element} are not those that CSDL requires.`, (_element, hint) => hint),
  missingReference: rule('CSDL075', (uri, namespaces) => `The referenced document ${uri} was not read, so ${namespaces} is unknown.`, (_uri, _namespaces, hint) => hint),
  outsideReference: rule('CSDL076', (uri) => `The reference ${uri} points outside the model's folder.`, 'Put the document next to the model, and reference it by its name.'),
  fileReference: rule('CSDL131', (uri) => `The reference ${uri} names a file of one machine.`, 'Put the document next to the model, and reference it by its name.'),
  tooManyFaults: rule('CSDL077', (count) => `The run stopped after ${count} faults.`, 'Correct the first ones; the others may be their consequences.'),
  unknownPrimitive: rule('CSDL078', (owner, type) => `${owner}: there is no primitive type ${type}.`, (_owner, _type, hint) => hint || 'Correct its name.'),
  unreadTerms: rule('CSDL114', (uri, namespaces) => `The referenced document ${uri} was not read; none of its types is used, and annotations with terms of ${namespaces} stay unchecked.`, 'Nothing is fetched; save it next to the model to check its terms.'),
  misspeltNamespace: rule('CSDL133', (namespace) => `There is no vocabulary ${namespace}, so annotations with its terms would have no effect.`, (_namespace, meant) => `Did you mean ${meant}?`),
  includedNamespace: rule('CSDL079', (uri, namespace) => `The document ${uri} has no schema ${namespace}.`, (_uri, _namespace, hint) => hint || 'Correct the namespace of the Include.'),
  unknownContainer: rule('CSDL080', (name, base) => `Entity container ${name} extends ${base}, which is not defined.`, 'Correct the name, or reference the document that defines it.'),
  extendsItself: rule('CSDL081', (name) => `Entity container ${name} extends itself.`, 'Remove Extends from one of the containers.'),
  baseType: rule('CSDL043', (type, base, why) => `${type}: the base type ${base} ${why}.`, (_type, _base, _why, hint) => hint || 'Correct BaseType.'),
  unreadBase: rule('CSDL118', (type, base, why) => `${type}: the base type ${base} ${why}.`, (_type, _base, _why, hint) => hint),
  secondContainer: rule('CSDL119', (name, served) => `The model has a second entity container ${name}, but a service has one: ${served}.`, 'Let one extend the other, or split the model.'),
  keyAlias: rule('CSDL044', (type, name, why) => `The key property ${type}/${name} ${why}.`, (_type, _name, _why, hint) => hint),
  nestedStream: rule('CSDL046', (path, within) => `${path}: a stream cannot lie within ${within}.`, 'Declare the stream in an entity type.'),
  nestedNavigation: rule('CSDL139', (path, within, kind) => `${path}: a navigation property${kind} cannot lie within ${within}.`, 'Declare it in an entity type and contain entities instead of values, or store the key in a property.'),
  precision: rule('CSDL097', (owner, precision, most, what) => `${owner} has Precision ${precision}, but at most ${most} ${what} are stored.`, (_owner, _precision, most) => `Use at most ${most}.`),
  scale: rule('CSDL135', (owner) => `${owner} is a decimal without Scale, so it has no decimal places (CSDL 4.01, 7.2.4).`, 'Add Scale="variable", or its number of decimal places.'),
  prose: rule('CSDL136', (owner, what) => `${owner} ${what}.`, (_owner, _what, hint) => hint),
  keyWithoutValue: rule('CSDL150', (key) => `${key} is a key that no body gives, and nothing of the model sets it; every create fails unless an extension sets it.`, (_key, type, property) => `Use Core.ComputedDefaultValue, which lets clients choose it, a single key that the service generates (Edm.Int32, Edm.Int64, Edm.Guid, Edm.String of 10 characters or more), or a default, in the overlay: "types": { "${type}": { "properties": { "${property}": { "default": "VALUE" } } } }`),
  mediaRequired: rule('CSDL130', (type, names) => `${type}: clients create its records by their bytes alone (protocol 11.4.7.1), without values for ${names}; every create fails.`, 'Add a DefaultValue, Nullable="true" or Rules.Generated.'),
  // The overlay, and inferences.
  overlayMember: rule('CSDL082', (what, name) => `${what} of the overlay has no member ${name}.`, (_what, _name, hint) => hint || 'Remove it or correct its name.'),
  overlayTarget: rule('CSDL083', (what, name) => `The overlay names ${name}, but there is no such ${what}.`, (_what, _name, hint) => hint || 'Correct the name.'),
  overlayValue: rule('CSDL084', (what, wanted) => `${what} of the overlay must be ${wanted}.`, (_what, _wanted, hint) => hint || 'Correct the value.'),
  inferredKey: rule('CSDL085', (owner, join, by) => `${owner} is assumed to be joined by ${join}, by the rule ${by}.`, 'Decide it in the overlay, or in the model.'),
  abstractType: rule('CSDL100', (owner, type) => `${owner} cannot have the abstract type ${type} (CSDL 4.01, 3.4).`, 'Use a type that values can be of.'),
  abstractProperty: rule('CSDL140', (owner, type) => `${owner} has the abstract type ${type}, which is not supported.`, (_owner, _type, hint) => hint),
  redefined: rule('CSDL142', (owner) => `${owner} redefines an inherited property, which is not supported.`, 'Remove or rename it.'),
  severalParents: rule('CSDL141', (owner, parents) => `${owner} is the back-reference to the parent, which may be in ${parents}: not supported.`, 'Remove the property and the Partner that names it, or let a single entity set hold the parents.'),
  onDelete: rule('CSDL101', (owner, action, what) => `${owner}: OnDelete ${action} means that ${what} (CSDL 4.01, 8.6).`, (_owner, _action, _what, hint) => hint),
  operation: rule('CSDL090', (what, why) => `${what} ${why}.`, (_what, _why, hint) => hint),
  importedOperation: rule('CSDL143', (member, operation, kind) => `${member} names ${operation}, but there is no such unbound ${kind}.`, 'Correct the name, or remove the import.'),
  importedSet: rule('CSDL151', (member, set) => `${member} names the entity set ${set}, which does not exist.`, (_member, _set, nearest) => (nearest ? `Did you mean ${nearest}?` : 'Correct the name, or remove the attribute.')),
  operationName: rule('CSDL144', (operation, other) => `${operation} has the name of another child of its schema: ${other}.`, 'Rename one of the two.'),
  changeLog: rule('CSDL152', (set, why) => `${set} ${why}.`, (_set, _why, hint) => hint),
  storageLayout: rule('CSDL153', (set, why) => `${set} ${why} (Rules.StorageLayout).`, (_set, _why, hint) => hint),
  rowRule: rule('CSDL096', (scope, why) => `The row filter of ${scope} ${why}.`, (_scope, _why, hint) => hint || 'Name a scope of the Permissions.'),
  scopeName: rule('CSDL154', (scope, why) => `The scope '${scope}' ${why}: no token can have it (RFC 6749, 3.3).`, (_scope, _why, hint) => hint),
  storageName: rule('CSDL086', (owner, name, why) => `${owner} cannot be stored as ${name}: ${why}.`, 'Choose another name with Rules.Storage.'),
} as const;

/** All codes. */
export const faultCodes: ReadonlySet<string> = new Set(Object.values(faults).map((make) => make(0).code));

function rule(
  code: string,
  message: (...parts: readonly [string, string, string, string]) => string,
  hint: string | ((...parts: readonly [string, string, string, string]) => string),
): (at: number, ...parts: readonly string[]) => Fault {
  return (at, ...parts) => {
    const [first = '', second = '', third = '', fourth = ''] = parts.map(shortened);
    return {
      code,
      at,
      message: message(first, second, third, fourth),
      hint: typeof hint === 'string' ? hint : hint(first, second, third, fourth).trim(),
    };
  };
}

const longestPart = 300;

// A name or value of a hostile document may be as long as the document.
function shortened(part: string): string {
  return part.length <= longestPart ? part : `${part.slice(0, longestPart)}...`;
}
