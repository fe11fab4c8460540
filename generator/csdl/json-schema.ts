import { faults, type Report } from '../faults.js';
import type { XmlElement } from './csdl.js';
import type { AnnotationReader } from './json-annotations.js';
import { attribute, checkMembers, element, facets, facetsOf, itemsOf, membersOf, typeText } from './json-element.js';
import type { JsonMember } from './json-tree.js';
import { attributesOf } from './typed-elements.js';

type Members = readonly JsonMember[];
type Attributes = { readonly [name: string]: string | undefined };

const typed = ['Type', 'Collection', 'Nullable', ...facets];
const derived: ReadonlySet<string> = new Set(['Name', 'EntityType', 'AppliesTo', ...typed]);

/** Reads a schema in JSON as its XML element. */
export class SchemaReader {
  constructor(
    private readonly annotations: AnnotationReader,
    private readonly report: Report,
  ) {}

  schema({ at, name, value }: JsonMember): XmlElement {
    const members = this.members(value, `Schema ${name}`);
    this.checkMembers(members, ['Alias', 'Annotations'], `Schema ${name}`);
    const targets = members
      .filter((member) => member.name === '$Annotations')
      .flatMap((member) => this.members(member.value, '$Annotations'));
    return element('Schema', at, { Namespace: name, Alias: this.read(members, 'Alias') }, [
      ...this.annotations.annotationsOf(members),
      ...this.named(members).flatMap((member) => this.schemaElement(member)),
      ...targets.map((target) =>
        element('Annotations', target.at, { Target: target.name }, this.annotations.annotationsOf(this.members(target.value, target.name))),
      ),
    ]);
  }

  private schemaElement(member: JsonMember): readonly XmlElement[] {
    if (member.value.kind === 'array') return this.overloads(member, member.value.items);
    const members = this.members(member.value, member.name);
    const kind = this.read(members, 'Kind') ?? '';
    const build = (attributes: Attributes, children: readonly XmlElement[], known?: readonly string[]): readonly XmlElement[] => [
      this.build(kind, member, members, attributes, children, known),
    ];
    const named = this.named(members);
    switch (kind) {
      case 'EntityType':
      case 'ComplexType':
        return build({}, [...this.keyOf(members), ...named.map((one) => this.property(one))], ['Key']);
      case 'EnumType':
        return build(
          {},
          named.map((one) => this.enumMember(one, members)),
        );
      case 'EntityContainer':
        return build(
          {},
          named.map((one) => this.containerMember(one)),
        );
      case 'TypeDefinition':
        return build(facetsOf(members, this.report, 'UnderlyingType'), [], facets);
      case 'Term':
        return build({ ...this.typeOf(members), AppliesTo: this.words(members, '$AppliesTo') }, [], [...typed, 'AppliesTo']);
      case 'Action':
      case 'Function':
        return build({}, this.signatureOf(members), ['Parameter', 'ReturnType']);
      default:
        return this.refuseKind(member, kind);
    }
  }

  private refuseKind({ at, name }: JsonMember, kind: string): readonly XmlElement[] {
    const known = ' Use EntityType, ComplexType, EnumType, TypeDefinition, Term, Action, Function or EntityContainer.';
    this.report(faults.unknownElement(at, `${name} with $Kind '${kind}'`, 'Schema', known));
    return [];
  }

  // Only operations may share a name.
  private overloads(member: JsonMember, items: readonly JsonMember['value'][]): readonly XmlElement[] {
    if (items.length === 0) this.report(faults.jsonValue(member.at, member.name, 'an object, or an array of overloads'));
    return items.flatMap((value) => {
      const kind = value.kind === 'object' ? this.read(value.members, 'Kind') : undefined;
      if (kind === 'Action' || kind === 'Function') return this.schemaElement({ ...member, at: value.at, value });
      this.report(faults.jsonValue(value.at, `An overload of ${member.name}`, 'an object with $Kind Action or Function'));
      return [];
    });
  }

  private build(
    kind: string,
    { at, name }: JsonMember,
    members: Members,
    attributes: Attributes,
    children: readonly XmlElement[],
    more: readonly string[] = [],
  ): XmlElement {
    const plain = attributesOf(kind).filter((name) => !derived.has(name));
    this.checkMembers(members, ['Kind', ...plain, ...more], `${kind} ${name}`);
    const own = Object.fromEntries(plain.map((each) => [each, this.read(members, each)]));
    return element(kind, at, { Name: name, ...own, ...attributes }, [...this.annotations.annotationsOf(members), ...children]);
  }

  private keyOf(members: Members): readonly XmlElement[] {
    const key = members.find(({ name }) => name === '$Key');
    if (key === undefined) return [];
    const refs = itemsOf(key.value, '$Key', this.report).map((item) => {
      if (item.kind === 'string') return element('PropertyRef', item.at, { Name: item.value });
      const [aliased] = this.members(item, '$Key');
      return element('PropertyRef', item.at, { Name: aliased?.value.kind === 'string' ? aliased.value.value : '', Alias: aliased?.name });
    });
    return [element('Key', key.at, {}, refs)];
  }

  private property(member: JsonMember): XmlElement {
    const members = this.members(member.value, member.name);
    const kind = this.read(members, 'Kind');
    if (kind === 'NavigationProperty') return this.navigation(member, members);
    if (kind !== undefined && kind !== 'Property')
      this.report(faults.invalidAttribute(member.at, `Property ${member.name}`, '$Kind', kind, 'Write NavigationProperty, or omit it.'));
    this.checkMembers(members, ['Kind', 'DefaultValue', ...typed], `Property ${member.name}`);
    const attributes = { Name: member.name, ...this.typeOf(members), DefaultValue: this.read(members, 'DefaultValue') };
    return element('Property', member.at, attributes, this.annotations.annotationsOf(members));
  }

  private navigation(member: JsonMember, members: Members): XmlElement {
    const { Type, Nullable } = members.some(({ name }) => name === '$Type') ? this.typeOf(members) : {};
    const constraint = members.find(({ name }) => name === '$ReferentialConstraint');
    const pairs = constraint === undefined ? [] : this.members(constraint.value, '$ReferentialConstraint');
    this.checkMembers(pairs, [], `The constraint of ${member.name}`);
    const onDelete = members.find(({ name }) => name === '$OnDelete');
    const isCollection = this.read(members, 'Collection') === 'true';
    const constraints = this.named(pairs).map(({ at, name, value }) => {
      const attributes = { Property: name, ReferencedProperty: value.kind === 'string' ? value.value : '' };
      return element('ReferentialConstraint', at, attributes, this.annotations.annotationsOf(pairs, name));
    });
    const action = { Action: this.read(members, 'OnDelete') };
    const deletions = onDelete && element('OnDelete', onDelete.at, action, this.annotations.annotationsOf(members, '$OnDelete'));
    const attributes = { Type, ...(!isCollection && { Nullable }) };
    const children = [...constraints, ...(deletions === undefined ? [] : [deletions])];
    return this.build('NavigationProperty', member, members, attributes, children, ['ReferentialConstraint', 'OnDelete', ...typed]);
  }

  private enumMember({ at, name }: JsonMember, members: Members): XmlElement {
    const attributes = { Name: name, Value: attribute(members, name, this.report) };
    return element('Member', at, attributes, this.annotations.annotationsOf(members, name));
  }

  private signatureOf(members: Members): readonly XmlElement[] {
    const parameters = members
      .filter(({ name }) => name === '$Parameter')
      .flatMap(({ value }) => itemsOf(value, '$Parameter', this.report));
    const returned = members.find(({ name }) => name === '$ReturnType');
    const inner = returned === undefined ? [] : this.members(returned.value, '$ReturnType');
    this.checkMembers(inner, typed, 'ReturnType');
    return [
      ...parameters.map((item) => {
        const own = this.members(item, 'Parameter');
        this.checkMembers(own, ['Name', ...typed], 'Parameter');
        return element('Parameter', item.at, { Name: this.read(own, 'Name'), ...this.typeOf(own) }, this.annotations.annotationsOf(own));
      }),
      ...(returned === undefined ? [] : [element('ReturnType', returned.at, this.typeOf(inner), this.annotations.annotationsOf(inner))]),
    ];
  }

  private containerMember(member: JsonMember): XmlElement {
    const members = this.members(member.value, member.name);
    const Type = this.read(members, 'Type');
    const bindings = this.bindingsOf(members);
    if (members.some(({ name }) => name === '$Action')) return this.build('ActionImport', member, members, {}, []);
    if (members.some(({ name }) => name === '$Function')) return this.build('FunctionImport', member, members, {}, []);
    if (this.read(members, 'Collection') === 'true') {
      return this.build('EntitySet', member, members, { EntityType: Type }, bindings, ['Type', 'Collection', 'NavigationPropertyBinding']);
    }
    this.checkMembers(members, ['Type', 'Nullable', 'NavigationPropertyBinding'], `Singleton ${member.name}`);
    const attributes = { Name: member.name, Type, Nullable: this.read(members, 'Nullable') };
    return element('Singleton', member.at, attributes, [...this.annotations.annotationsOf(members), ...bindings]);
  }

  private bindingsOf(members: Members): readonly XmlElement[] {
    const found = members.find(({ name }) => name === '$NavigationPropertyBinding');
    const pairs = found === undefined ? [] : this.members(found.value, '$NavigationPropertyBinding');
    return pairs.map(({ at, name, value }) =>
      element('NavigationPropertyBinding', at, { Path: name, Target: value.kind === 'string' ? value.value : '' }),
    );
  }

  // The absence of Nullable has another meaning than in XML (CSDL JSON 4.01, 7.2.1).
  private typeOf(members: Members): Attributes {
    return {
      Type: typeText(members, this.report),
      Nullable: this.read(members, 'Nullable') ?? 'false',
      ...facetsOf(members, this.report),
    };
  }

  private checkMembers(members: Members, known: readonly string[], owner: string): void {
    checkMembers(members, known, owner, this.report);
  }

  private words(members: Members, name: string): string | undefined {
    const found = members.find((member) => member.name === name);
    const words = found && itemsOf(found.value, name, this.report);
    for (const { at, kind } of words ?? []) if (kind !== 'string') this.report(faults.jsonValue(at, name, 'an array of strings'));
    return words?.map((item) => (item.kind === 'string' ? item.value : '')).join(' ');
  }

  private read(members: Members, name: string): string | undefined {
    return attribute(members, `$${name}`, this.report);
  }

  private named(members: Members): Members {
    return members.filter(({ name }) => !name.startsWith('$') && !name.includes('@'));
  }

  private members(value: JsonMember['value'], what: string): Members {
    return membersOf(value, what, this.report);
  }
}
