import type { Report } from '../faults.js';
import type { XmlElement } from './csdl.js';
import { operators } from './elements.js';
import { memberHints, termHints } from './json-hints.js';
import type { JsonMember, JsonValue } from './json-tree.js';
import { attribute, checkMembers, element, facetsOf, typeText } from './json-element.js';
import type { Qualify } from './names-in.js';

/** Reads annotations in JSON as their XML elements. */
export class AnnotationReader {
  constructor(
    private readonly qualify: Qualify,
    private readonly report: Report,
  ) {}

  /** The annotations of an element: members that begin with @; or of one of its members: `Name@Term`. */
  annotationsOf(members: readonly JsonMember[], owner = ''): readonly XmlElement[] {
    const prefix = `${owner}@`;
    return members
      .filter(({ name }) => name.startsWith(prefix) && !name.slice(prefix.length).includes('@') && !isControl(name))
      .map(({ at, name, value }) => {
        const [term = '', qualifier] = name.slice(prefix.length).split('#');
        const inner = this.annotationsOf(members, name);
        return element('Annotation', at, { Term: term, Qualifier: qualifier }, [
          ...inner,
          this.expression(value, termHints.get(this.qualify(term))),
        ]);
      });
  }

  /** A value as the element of its kind. */
  expression(value: JsonValue, hint: string | undefined): XmlElement {
    switch (value.kind) {
      case 'null':
        return element('Null', value.at);
      case 'boolean':
        return text('Bool', value.at, String(value.value));
      case 'number':
        return text(numberKind(value.value), value.at, value.value);
      case 'string':
        return this.string(value.value, value.at, hint);
      case 'array':
        return element(
          'Collection',
          value.at,
          {},
          value.items.map((item) => this.expression(item, hint)),
        );
      case 'object':
        return this.object(value.members, value.at, hint);
    }
  }

  private string(value: string, at: number, hint: string | undefined): XmlElement {
    if (hint === undefined) return text('String', at, value);
    if (!hint.includes('.')) return text(hint, at, value);
    return text(
      'EnumMember',
      at,
      value
        .split(',')
        .map((member) => `${hint}/${member.trim()}`)
        .join(' '),
    );
  }

  private object(members: readonly JsonMember[], at: number, hint: string | undefined): XmlElement {
    const main = members.find(({ name }) => expressionNames.has(name));
    if (main === undefined) return this.record(members, at);
    const notes = this.annotationsOf(members);
    const name = main.name.slice(1);
    const operands = (main.value.kind === 'array' && name !== 'LabeledElement' ? main.value.items : [main.value]).map((item) =>
      this.expression(item, name === 'If' ? hint : undefined),
    );
    const facet = (member: string): string | undefined => attribute(members, `$${member}`, this.report);
    switch (name) {
      case 'Path':
      case 'LabeledElementReference':
        return text(name, at, main.value.kind === 'string' ? main.value.value : '');
      case 'Null':
        return element('Null', at, {}, notes);
      case 'Apply':
        return element('Apply', at, { Function: facet('Function') }, [...notes, ...operands]);
      case 'Cast':
      case 'IsOf':
        return element(name, at, { Type: typeText(members, this.report), ...facetsOf(members, this.report) }, [...notes, ...operands]);
      case 'LabeledElement':
        return element(name, at, { Name: facet('Name') }, [...notes, ...operands]);
      default:
        return element(name, at, {}, [...notes, ...operands]);
    }
  }

  private record(members: readonly JsonMember[], at: number): XmlElement {
    const type = attribute(
      members.filter(({ name }) => name === '@type' || name === '@odata.type'),
      undefined,
      this.report,
    );
    checkMembers(members, [], 'Record', this.report);
    const values = members
      .filter(({ name }) => !name.includes('@'))
      .map((member) => {
        const notes = this.annotationsOf(members, member.name);
        return element('PropertyValue', member.at, { Property: member.name }, [
          ...notes,
          this.expression(member.value, memberHints.get(member.name)),
        ]);
      });
    return element('Record', at, { Type: type?.replace(/^[^#]*#/, '') }, [...this.annotationsOf(members), ...values]);
  }
}

const expressionNames: ReadonlySet<string> = new Set(
  [...operators, 'Path', 'Apply', 'Cast', 'IsOf', 'LabeledElement', 'LabeledElementReference', 'Null'].map((name) => `$${name}`),
);

// Control information, which no annotation's name can equal.
function isControl(name: string): boolean {
  return name === '@type' || name === '@odata.type';
}

function numberKind(value: string): string {
  if (/^-?\d+$/.test(value)) return 'Int';
  return /e/i.test(value) ? 'Float' : 'Decimal';
}

function text(name: string, at: number, value: string): XmlElement {
  return { ...element(name, at), text: value };
}
