import { expressions, operators, words } from './elements.js';
import { identifier as simple } from '../../runtime/edm/identifier.js';

const expression = `(?:${expressions.join('|')}) `;
const notes = '(?:Annotation )*';
const followed = `${notes}(?:${expression}${notes})`;
const any = (...names: readonly string[]): string => `(?:(?:${names.join('|')}) )*`;

/**
 * The children of an element by the OASIS schemas: a pattern over their names, with a space after each. Other elements
 * have the children of `elements.ts` in any order and number.
 */
export const contents: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    Edmx: '(?:Reference )*DataServices ',
    Reference: `${notes}(?:(?:Include|IncludeAnnotations) ${notes})+`,
    DataServices: '(?:Schema )+',
    Key: '(?:PropertyRef )+',
    NavigationProperty: `${any('ReferentialConstraint', 'Annotation')}(?:OnDelete ${any('ReferentialConstraint', 'Annotation')})?`,
    EnumType: `${notes}(?:Member ${notes})+`,
    Action: `${any('Parameter', 'Annotation')}(?:ReturnType ${any('Parameter', 'Annotation')})?`,
    Function: `${any('Parameter', 'Annotation')}ReturnType ${any('Parameter', 'Annotation')}`,
    EntityContainer: `${notes}(?:(?:EntitySet|Singleton|ActionImport|FunctionImport) ${notes})+`,
    Annotations: '(?:Annotation )+',
    Annotation: `${notes}(?:${expression}${notes})?`,
    Cast: followed,
    IsOf: followed,
    LabeledElement: `${notes}(?:${expression}${notes})?`,
    If: `${notes}(?:${expression}${notes}){2,3}`,
    ...Object.fromEntries(
      operators
        .filter((name) => name !== 'If')
        .map((name) => [name, ['Not', 'Neg', 'UrlRef'].includes(name) ? followed : `${notes}(?:${expression}${notes}){2}`]),
    ),
  }).map(([name, pattern]) => [name, new RegExp(`^${pattern}$`)]),
);

const qualified = String.raw`${simple}(?:\.${simple})+`;
const path = String.raw`${simple}(?:[./]${simple})*`;
const modelPath = String.raw`(?:/?@?${simple}(?:(?:[./#@]|/@)${simple})*(?:/\$count)?)?`;
const digits = String.raw`\d+`;
const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,12})?)?`;
const date = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;

const applicable =
  words(`Action ActionImport Annotation Apply Cast Collection ComplexType EntityContainer EntitySet EntityType EnumType Function
   FunctionImport If Include IsOf LabeledElement Member NavigationProperty Null OnDelete Parameter Property PropertyValue
   Record Reference ReferentialConstraint ReturnType Schema Singleton Term TypeDefinition UrlRef`);

/** A form of text, with its description. */
export interface Form {
  readonly pattern: RegExp;
  readonly wanted: string;
}

const form = (pattern: string, wanted: string): Form => ({ pattern: new RegExp(`^(?:${pattern})$`, 'u'), wanted });

// oxfmt-ignore
const forms = {
  simple: form(simple, 'Write a simple identifier.'),
  namespace: form(String.raw`${simple}(?:\.${simple})*`, 'Write identifiers separated by dots.'),
  qualified: form(qualified, 'Write a name with its namespace or alias.'),
  notEdm: form(String.raw`(?!Edm\.)${qualified}`, 'Name a type of a schema, with its namespace or alias.'),
  type: form(String.raw`(?:Collection\(${qualified}\)|${qualified})`, 'Write a type with its namespace or alias, such as Edm.String, or Collection(...) of one.'),
  primitive: form(String.raw`Edm\.${simple}`, 'Name a primitive type.'),
  path: form(path, 'Write names separated by slashes.'),
  modelPath: form(modelPath, 'Write a path of the model.'),
  appliesTo: form(String.raw`(?:(?:${applicable.join('|')})(?:\s+(?:${applicable.join('|')}))*)?|${simple}`, 'Write the names of CSDL elements, separated by spaces.'),
  whole: form(`-?${digits}`, 'Write a whole number.'),
  action: form('Cascade|None|SetDefault|SetNull', 'Use Cascade, None, SetDefault or SetNull.'),
  binary: form(String.raw`(?:[\w-]{4})*(?:[\w-]{2}[AEIMQUYcgkosw048]=?|[\w-][AQgw](?:==)?)?`, 'Write base64url.'),
  bool: form('true|false', 'Write true or false.'),
  date: form(date, 'Write a date such as 2025-12-31.'),
  dateTime: form(String.raw`-?${date}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,12})?(?:Z|[+-]\d\d:\d\d)`, 'Write a date and time with seconds and an offset, such as 2025-12-31T23:59:59Z.'),
  decimal: form(String.raw`[+-]?\d+(?:\.\d+)?(?:[Ee][+-]?\d+)?|-?INF|NaN`, 'Write a number.'),
  duration: form(String.raw`-?P(?:\d+D(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?|T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)`, 'Write a duration of days and time, such as P1DT12H.'),
  enumMembers: form(String.raw`\s*${path}(?:\s+${path})*\s*`, 'Write Namespace.Type/Member.'),
  guid: form('[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}', 'Write a GUID.'),
  time: form(time, 'Write a time such as 23:59:59.'),
  applied: form(`odata\\.[\\w.]+|${qualified}`, 'Name a function such as odata.concat.'),
} as const;

/** The form of attributes, by `Element/Attribute` or by `Attribute` for all elements. */
export const attributeForms: ReadonlyMap<string, Form> = new Map(
  Object.entries({
    Name: forms.simple,
    Type: forms.type,
    Namespace: forms.namespace,
    Alias: forms.simple,
    Qualifier: forms.simple,
    AppliesTo: forms.appliesTo,
    TermNamespace: forms.namespace,
    TargetNamespace: forms.namespace,
    BaseType: forms.qualified,
    BaseTerm: forms.qualified,
    Extends: forms.qualified,
    Term: forms.qualified,
    'NavigationPropertyBinding/Target': forms.path,
    Property: forms.path,
    ReferencedProperty: forms.path,
    EntityType: forms.notEdm,
    Action: forms.qualified,
    Function: forms.qualified,
    EntitySet: forms.path,
    EntitySetPath: forms.path,
    Partner: forms.path,
    Path: forms.path,
    'PropertyRef/Name': forms.path,
    'Singleton/Type': forms.notEdm,
    'Record/Type': forms.qualified,
    'TypeDefinition/UnderlyingType': forms.primitive,
    'OnDelete/Action': forms.action,
    'PropertyValue/Property': forms.simple,
    'Apply/Function': forms.applied,
  }),
);

/** The form of constants and paths, as attributes and as elements. */
export const expressionForms: ReadonlyMap<string, Form> = new Map(
  Object.entries({
    Binary: forms.binary,
    Bool: forms.bool,
    Date: forms.date,
    DateTimeOffset: forms.dateTime,
    Decimal: forms.decimal,
    Duration: forms.duration,
    EnumMember: forms.enumMembers,
    Float: forms.decimal,
    Guid: forms.guid,
    Int: forms.whole,
    TimeOfDay: forms.time,
    AnnotationPath: forms.modelPath,
    AnyPropertyPath: forms.modelPath,
    ModelElementPath: forms.modelPath,
    NavigationPropertyPath: forms.modelPath,
    PropertyPath: forms.modelPath,
    LabeledElementReference: forms.qualified,
  }),
);
