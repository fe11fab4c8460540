/** A GeoJSON point as PostgreSQL's point; null for anything else. The name is that of a `jsonb` column. */
export function pointOfJson(name: string): string {
  const [x, y] = [0, 1].map((axis) => `{coordinates,${axis}}`);
  const isOne = `${name} ->> 'type' = 'Point' and jsonb_typeof(${name} #> '${x}') = 'number' and jsonb_typeof(${name} #> '${y}') = 'number'`;
  return `(case when ${isOne} then point((${name} #>> '${x}')::float8, (${name} #>> '${y}')::float8) end)`;
}

/** The reference system of a GeoJSON shape, or the default one (JSON format 7.1). */
export function systemOfJson(name: string, usual: number): string {
  return `coalesce(${name} #>> '{crs,properties,name}', 'EPSG:${usual}')`;
}
