import { circleMarker, map as createMap, type Map as LeafletMap, svg } from 'leaflet';
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
  const circles = rows.flatMap((row) => {
    const point = findPoint(row);
    return point ? [circleMarker([point[1], point[0]], { radius: 6, className: 'place' }).on('click', () => onOpen(row))] : [];
  });
  for (const circle of circles) circle.addTo(view);
  const points = circles.map((circle) => circle.getLatLng());
  view.fitBounds(
    points.map(({ lat, lng }) => [lat, lng] as [number, number]),
    { padding: [30, 30], maxZoom: 16 },
  );
}
