import type { Field } from '../../runtime/edm/field.js';
import { generatedKeyProperty } from '../../runtime/edm/lookup.js';
import { enumText } from '../../runtime/expression/enum-members.js';
import type { EntityNode, FieldNode } from '../graph/model-graph.js';

/** Sentences about a property's rules, beyond its description. */
export function factsOf(node: FieldNode, entity: EntityNode): readonly string[] {
  const { name } = node;
  const { key, rules } = entity;
  const facts: readonly (string | false)[] = [
    key.includes(name) && (name === generatedKeyProperty(entity) ? 'Key, set by the service.' : 'Key.'),
    rules.computed.includes(name) && !key.includes(name) && 'Set by the service; a value in a body is ignored.',
    rules.immutable.includes(name) && 'Cannot be changed after creation.',
    rules.initialOnly.includes(name) && 'A create may send it only with its initial value.',
  ];
  return [...facts.filter((fact) => fact !== false), ...fieldFacts(node)].filter((fact) => !isDescribed(fact, node.description));
}

// A clause of the description may contain the fact.
function isDescribed(fact: string, description = ''): boolean {
  return clausesOf(description).includes(clausesOf(fact.replace(/\.$/, '')));
}

function clausesOf(text: string): string {
  return `;${text.toLowerCase().replace(/[.;,] *| *$/g, ';')}`;
}

/** Sentences about a property's type and facets. */
export function fieldFacts({ field }: FieldNode): readonly string[] {
  const { complex, maxLength, precision, scale, minimum, maximum, pattern, lookup, allowedValues, srid, collection } = field;
  const { exclusiveMinimum, exclusiveMaximum } = field;
  const facts: readonly (string | false | undefined)[] = [
    complex !== undefined && `${collection ? 'Each a' : 'A'} value of \`${complex}\`.`,
    maxLength !== undefined && `At most ${count(maxLength, 'character')}${collection ? ' each' : ''}.`,
    precision !== undefined &&
      field.type === 'Edm.Decimal' &&
      `At most ${count(precision, 'digit')}${scale === undefined ? '' : `, ${scale} after the decimal point`}.`,
    precision === undefined &&
      scale !== undefined &&
      (scale === 0 ? 'A whole number.' : `At most ${count(scale, 'digit')} after the decimal point.`),
    precision !== undefined &&
      field.type !== 'Edm.Decimal' &&
      precision > 0 &&
      `At most ${count(precision, 'digit')} of fractional seconds.`,
    minimum !== undefined && `${exclusiveMinimum ? 'More than' : 'At least'} ${minimum}.`,
    maximum !== undefined && `${exclusiveMaximum ? 'Less than' : 'At most'} ${maximum}.`,
    pattern !== undefined && `Matches ${pattern}.`,
    allowedValues === undefined && lookup !== undefined && `${collection ? 'Each a' : 'A'} value of the lookup ${lookup}, or another.`,
    allowedValues !== undefined && `${collection ? 'Each one' : 'One'} of ${listOf(allowedValues)}.`,
    allowedValues === undefined &&
      field.enumeration &&
      field.enumeration.members.length > 0 &&
      `${collection ? 'Each one' : 'One'} ${field.enumeration.flags ? 'or several ' : ''}of ${listOf(field.enumeration.members.map(([member]) => member))}.`,
    field.default !== undefined && `Initially ${initialOf(field, field.default)}.`,
    srid !== undefined && (srid === 'variable' ? 'Each value has its reference system in `crs`.' : `Coordinates in SRID ${srid}.`),
    field.filterable === false && 'Not usable in $filter.',
  ];
  return facts.filter((fact): fact is string => typeof fact === 'string');
}

/** The length of a single-line comment; a longer one has a line for each part. */
const widestComment = 140;

/** Text for a doc comment: nothing in it can end the comment. */
export function docText(...parts: readonly (string | undefined)[]): string {
  const sentences = parts.filter((part) => part !== undefined && part !== '').map(sentence);
  const line = sentences.join(' ');
  const text = line.length <= widestComment ? line : sentences.join('\n');
  return text.replace(/\*\//g, '*\\/').replace(/[\u0000-\u0009\u000b-\u001f\u007f\u2028\u2029]/g, ' ');
}

/** Text that ends like a sentence. */
export function sentence(text: string | undefined): string {
  const trimmed = (text ?? '').trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

function initialOf({ enumeration }: Field, value: string): string {
  if (enumeration) return enumText(enumeration, value);
  return value === '' ? 'empty' : value;
}

const mostListed = 12;

function listOf(values: readonly string[]): string {
  const shown = values
    .slice(0, mostListed)
    .map((value) => `\`${value}\``)
    .join(', ');
  return values.length > mostListed ? `${shown} and ${values.length - mostListed} more` : shown;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
