import { Graph, layout } from '@dagrejs/dagre';
import { escapeHtml } from './html.js';

/** A box of a diagram. */
export interface Box {
  readonly id: string;
  readonly text: string;
  readonly href?: string | undefined;
  /** It is drawn differently: the subject of the page, or the initial state. */
  readonly main?: boolean;
}

/** An arrow between two boxes; its label has a line for each text. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly label?: readonly string[];
  /** It points both ways. */
  readonly both?: boolean;
}

/** A diagram: its text for readers who cannot see it, and its parts. */
export interface Diagram {
  /** A name that no other diagram of the page has. */
  readonly name: string;
  readonly title: string;
  readonly direction: 'LR' | 'TB';
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

// Advances of the system's sans-serif fonts, in pixels per character of the boxes and labels.
const widths = { box: 7.6, label: 6.4 } as const;
const lineHeight = 15;

/** Draws a diagram as SVG, with classes in place of styles. */
export function drawDiagram(diagram: Diagram): string {
  const { name, title, direction, boxes, arrows } = diagram;
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: direction, nodesep: 18, ranksep: 46, edgesep: 14 });
  for (const { id, text } of boxes) graph.setNode(nodeOf(id), { width: Math.max(48, text.length * widths.box + 22), height: 32 });
  arrows.forEach(({ from, to, label = [] }, index) => graph.setEdge(nodeOf(from), nodeOf(to), sizeOf(label), String(index)));
  layout(graph);
  const placed = boxes.map(({ id }) => graph.node(nodeOf(id)) as Placed);
  const ways = arrows.map(({ from, to }, index) => graph.edge(nodeOf(from), nodeOf(to), String(index)) as Placed);
  const drawn = [
    ...arrows.map((arrow, index) => drawArrow(arrow, ways[index], diagram)),
    ...arrows.map((arrow, index) => drawLabel(arrow, ways[index])),
    ...boxes.map((box, index) => drawBox(box, placed[index])),
  ];
  const [x, y, w, h] = boundsOf([...placed.flatMap(cornersOf), ...ways.flatMap(({ points }) => points), ...ways.flatMap(cornersOf)]);
  // The parts of an image cannot be reached, but links must be.
  const role = boxes.some(({ href }) => href !== undefined) ? 'group' : 'img';
  return `<svg class="diagram" viewBox="${x} ${y} ${w} ${h}" width="${w}" height="${h}" role="${role}" aria-label="${escapeHtml(title)}">${arrowHead(name)}${drawn.join('')}</svg>`;
}

// The library keeps nodes in plain objects, which inherit names such as `toString`.
function nodeOf(id: string): string {
  return `node ${id}`;
}

// Arrows may leave the area of the boxes.
function boundsOf(points: readonly Point[]): readonly [x: number, y: number, width: number, height: number] {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.floor(Math.min(...xs)) - margin, Math.floor(Math.min(...ys)) - margin];
  return [left, top, Math.ceil(Math.max(...xs)) + margin - left, Math.ceil(Math.max(...ys)) + margin - top];
}

const margin = 4;

// An arrow without a label has no size.
function cornersOf({ x, y, width, height }: Placed): readonly Point[] {
  return width === 0
    ? []
    : [
        { x: x - width / 2, y: y - height / 2 },
        { x: x + width / 2, y: y + height / 2 },
      ];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A box or a label with its place, which is its middle. */
interface Placed extends Point {
  readonly width: number;
  readonly height: number;
  readonly points: readonly Point[];
}

function arrowHead(name: string): string {
  return `<defs><marker id="${name}-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>`;
}

function sizeOf(label: readonly string[]) {
  if (label.length === 0) return { width: 0, height: 0 };
  const longest = Math.max(...label.map((line) => line.length));
  return { width: longest * widths.label + 8, height: label.length * lineHeight, labelpos: 'c' as const };
}

function drawBox({ text, href, main }: Box, placed: Placed | undefined): string {
  if (placed === undefined) return '';
  const { x, y, width, height } = placed;
  const box = `<rect x="${at(x - width / 2)}" y="${at(y - height / 2)}" width="${at(width)}" height="${at(height)}" rx="6"/><text x="${at(x)}" y="${at(y + 4.5)}">${escapeHtml(text)}</text>`;
  const group = `<g class="box${main ? ' main' : ''}">${box}</g>`;
  return href === undefined ? group : `<a href="${escapeHtml(href)}">${group}</a>`;
}

function drawArrow({ label = [], both }: Arrow, way: Placed | undefined, { name }: Diagram): string {
  const head = `url(#${name}-head)`;
  return `<path class="arrow" d="${curve(way?.points ?? [], label.length > 0)}" marker-end="${head}"${both ? ` marker-start="${head}"` : ''}/>`;
}

function drawLabel({ label = [] }: Arrow, way: Placed | undefined): string {
  if (way === undefined) return '';
  const first = way.y - ((label.length - 1) * lineHeight) / 2 + 4;
  return label
    .map((line, index) => `<text class="label" x="${at(way.x)}" y="${at(first + index * lineHeight)}">${escapeHtml(line)}</text>`)
    .join('');
}

// Labels are at points of the way, so that an arrow with one passes through them; others pass by their corners.
function curve([first, ...rest]: readonly Point[], isLabelled: boolean): string {
  if (first === undefined) return '';
  const parts = isLabelled ? rest.map((to, index) => level(rest[index - 1] ?? first, to)) : corners(rest);
  return `M${at(first.x)} ${at(first.y)}${parts.join('')}`;
}

// Leaves and arrives level.
function level(from: Point, to: Point): string {
  const middle = at((from.x + to.x) / 2);
  return `C${middle} ${at(from.y)} ${middle} ${at(to.y)} ${at(to.x)} ${at(to.y)}`;
}

function corners(points: readonly Point[]): readonly string[] {
  const [only] = points;
  if (points.length === 1 && only !== undefined) return [`L${at(only.x)} ${at(only.y)}`];
  return points.slice(0, -1).map((corner, index) => {
    const next = points[index + 1] ?? corner;
    const end = index === points.length - 2 ? next : { x: (corner.x + next.x) / 2, y: (corner.y + next.y) / 2 };
    return `Q${at(corner.x)} ${at(corner.y)} ${at(end.x)} ${at(end.y)}`;
  });
}

function at(value: number): string {
  return String(Math.round(value * 10) / 10);
}
