import { isArray, isNumber, isObject, type Json } from '../../json/json.js';

/** A shape with its reference system. */
interface WellKnown {
  readonly srid: string | undefined;
  /** As GeoJSON. */
  readonly shape: Json;
}

/** The nesting of positions in well-known text; 1 for a point. */
const depths: readonly (readonly [name: string, depth: number])[] = [
  ['Point', 0],
  ['LineString', 1],
  ['MultiPoint', 1],
  ['Polygon', 2],
  ['MultiLineString', 2],
  ['MultiPolygon', 3],
];

const start = /^\s*(?:SRID=(\d{1,6});)?/i;
const token = /\s*(?:([A-Za-z]+)|([(),])|([-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d{1,3})?)(?=[\s,)]))/y;

/**
 * Parses well-known text (URL conventions 5.1.1.11, ABNF rules fullPointLiteral to fullMultiPolygonLiteral); undefined
 * for other text.
 */
export function parseWellKnownText(text: string): WellKnown | undefined {
  const [prefix = '', srid] = start.exec(text) ?? [];
  const reader = readerOf(text, prefix.length);
  const shape = readShape(reader);
  return shape === undefined || !reader.isAtEnd() ? undefined : { srid, shape };
}

interface Reader {
  /** Takes the next piece if it matches. */
  readonly take: (wanted: RegExp) => string | undefined;
  readonly isAtEnd: () => boolean;
}

function readerOf(text: string, from: number): Reader {
  let at = from;
  const take = (wanted: RegExp): string | undefined => {
    token.lastIndex = at;
    const [whole = '', word, mark, number] = token.exec(text) ?? [];
    const piece = word ?? mark ?? number;
    if (piece === undefined || !wanted.test(piece)) return undefined;
    at += whole.length;
    return piece;
  };
  return { take, isAtEnd: () => text.slice(at).trim() === '' };
}

function readShape(reader: Reader): Json | undefined {
  const word = reader.take(/^[A-Za-z]/)?.toLowerCase();
  if (word === 'collection')
    return withMembers(
      'GeometryCollection',
      'geometries',
      readList(reader, () => readShape(reader)),
    );
  const [name, depth] = depths.find(([known]) => known.toLowerCase() === word) ?? [];
  if (name === undefined || depth === undefined) return undefined;
  // A single point is in parentheses, and so is each one of several.
  return withMembers(
    name,
    'coordinates',
    name === 'MultiPoint' ? readList(reader, () => readPoint(reader)) : depth === 0 ? readPoint(reader) : readPositions(reader, depth),
  );
}

function withMembers(type: string, member: string, value: Json | undefined): Json | undefined {
  return value === undefined
    ? undefined
    : {
        kind: 'object',
        members: new Map<string, Json>([
          ['type', type],
          [member, value],
        ]),
      };
}

function readPoint(reader: Reader): Json | undefined {
  const position = reader.take(/^\($/) && readPosition(reader);
  return position && reader.take(/^\)$/) ? position : undefined;
}

function readPositions(reader: Reader, depth: number): Json | undefined {
  return readList(reader, () => (depth === 1 ? readPosition(reader) : readPositions(reader, depth - 1)));
}

function readPosition(reader: Reader): Json | undefined {
  const [x, y] = [reader.take(/\d/), reader.take(/\d/)];
  if (x === undefined || y === undefined) return undefined;
  return { kind: 'array', items: [x, y].map((text) => ({ kind: 'number', text: text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1') })) };
}

function readList(reader: Reader, readItem: () => Json | undefined): Json | undefined {
  const items: Json[] = [];
  if (reader.take(/^\($/) === undefined) return undefined;
  do {
    const item = readItem();
    if (item === undefined) return undefined;
    items.push(item);
  } while (reader.take(/^,$/));
  return reader.take(/^\)$/) === undefined ? undefined : { kind: 'array', items };
}

/** Prints GeoJSON as well-known text, with its reference system in front. */
export function printWellKnownText(shape: Json, srid: number): string {
  return `SRID=${srid};${printShape(shape)}`;
}

function printShape(shape: Json): string {
  if (!isObject(shape)) return '';
  const type = String(shape.members.get('type'));
  if (type === 'GeometryCollection') return `Collection(${itemsOf(shape.members.get('geometries')).map(printShape).join(',')})`;
  const coordinates = shape.members.get('coordinates') ?? null;
  if (type === 'Point') return `Point(${printPosition(coordinates)})`;
  return `${type}${
    type === 'MultiPoint'
      ? `(${itemsOf(coordinates)
          .map((item) => `(${printPosition(item)})`)
          .join(',')})`
      : printPositions(coordinates)
  }`;
}

function printPositions(json: Json): string {
  const items = itemsOf(json);
  return items.every(isNumber) ? printPosition(json) : `(${items.map(printPositions).join(',')})`;
}

function printPosition(json: Json): string {
  return itemsOf(json)
    .map((item) => (isNumber(item) ? item.text : ''))
    .join(' ');
}

function itemsOf(json: Json | undefined): readonly Json[] {
  return json !== undefined && isArray(json) ? json.items : [];
}
