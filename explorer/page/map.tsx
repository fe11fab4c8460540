import {
  circleMarker,
  divIcon,
  type LayerGroup,
  layerGroup,
  map as createMap,
  type Map as LeafletMap,
  marker,
  polyline,
  svg,
} from 'leaflet';
import { useEffect, useRef } from 'preact/hooks';
import { findPoint } from './points.js';
import type { Row } from './state.js';

interface Props {
  readonly rows: readonly Row[];
  readonly onOpen: (row: Row) => void;
}

/** The records that have a place, as circles without a background: no tiles are fetched from anybody. */
export function Places({ rows, onOpen }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return undefined;
    const view = createMap(place.current, { renderer: svg(), zoomControl: true, attributionControl: false });
    draw(view, rows, onOpen);
    return () => void view.remove();
  }, [rows]);
  return <div class="map" ref={place} role="application" aria-label="Map of the records" />;
}

function draw(view: LeafletMap, rows: readonly Row[], onOpen: (row: Row) => void): void {
  const grid = layerGroup().addTo(view);
  const circles = rows.flatMap((row) => {
    const point = findPoint(row);
    if (!point) return [];
    const place = circleMarker([point[1], point[0]], { radius: 6, className: 'place' });
    return [place.bindTooltip(() => titleOf(row)).on('click', () => onOpen(row))];
  });
  for (const circle of circles) circle.addTo(view);
  const points = circles.map((circle) => circle.getLatLng());
  view.fitBounds(
    points.map(({ lat, lng }) => [lat, lng] as [number, number]),
    { padding: [30, 30], maxZoom: 16 },
  );
  drawGrid(view, grid);
  view.on('moveend', () => drawGrid(view, grid));
}

// The first texts and numbers of a record; a text node, since values may contain markup.
function titleOf(row: Row): HTMLElement {
  const title = document.createElement('span');
  const values = Object.entries(row).filter(
    ([name, value]) => !name.includes('@') && (typeof value === 'string' || typeof value === 'number'),
  );
  title.textContent = values
    .slice(0, 3)
    .map(([, value]) => String(value))
    .join(', ');
  return title;
}

const steps = [30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
const mostLines = 8;

// Meridians and parallels with their degrees, since there is no background.
function drawGrid(view: LeafletMap, grid: LayerGroup): void {
  const bounds = view.getBounds();
  const [west, east, south, north] = [
    bounds.getWest(),
    bounds.getEast(),
    Math.max(-85, bounds.getSouth()),
    Math.min(85, bounds.getNorth()),
  ];
  const step = steps.findLast((size) => (east - west) / size <= mostLines) ?? 30;
  grid.clearLayers();
  for (const at of multiples(west, east, step)) line(grid, [[south, at], [north, at]], [north, at], at); // oxfmt-ignore
  for (const at of multiples(south, north, step)) line(grid, [[at, west], [at, east]], [at, east], at); // oxfmt-ignore
}

function multiples(from: number, to: number, step: number): readonly number[] {
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, index) => (first + index) * step);
}

type Point = [latitude: number, longitude: number];

function line(grid: LayerGroup, ends: [Point, Point], label: Point, degrees: number): void {
  polyline(ends, { className: 'grid-line', interactive: false }).addTo(grid).bringToBack();
  const html = `${Number(degrees.toFixed(3))}°`;
  const isParallel = ends[0][0] === ends[1][0];
  const icon = divIcon({ className: 'degrees', html, iconSize: [48, 14], iconAnchor: isParallel ? [50, 16] : [-4, -2] });
  marker(label, { icon, interactive: false, keyboard: false }).addTo(grid);
}
