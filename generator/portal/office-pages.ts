import { root } from '../emit/example.js';
import type { OutputFile } from '../output/header.js';
import { basicQuery, bearerQuery, connectionFile, incrementalQuery } from './power-query.js';
import { fileName, type Page, type Site } from './site.js';
import { timestampsOf } from './timestamps.js';

/** The pages for Excel and Power BI; a model without sets has none. */
export function officePages(site: Site): readonly Page[] {
  const set = firstSet(site);
  if (set === undefined) return [];
  const [stamp] = timestampsOf(site);
  const stamped = site.sets.find(({ path }) => path === stamp?.path);
  const { odc, pq } = fileNames(set.view.set);
  const view = {
    root,
    first: set.view.set,
    csv: `${root}/${set.view.set}?$format=csv;bom=true`,
    odc,
    pq,
    basic: basicQuery(set.entity),
    bearer: bearerQuery(set.entity),
    topIsPageSize: site.sets
      .filter(({ entity }) => entity.limits.topIsPageSize && entity.entitySet !== undefined)
      .map((entry) => entry.view.set),
    incremental: stamp && stamped && { field: stamp.field, code: incrementalQuery(stamped.entity, stamp.field) },
  };
  return [
    { path: 'excel.html', title: 'Excel', template: 'excel', view },
    { path: 'power-bi.html', title: 'Power BI', template: 'power-bi', view },
  ];
}

/** The files that these pages offer. */
export function officeFiles(site: Site): readonly OutputFile[] {
  const set = firstSet(site);
  if (set === undefined) return [];
  const { odc, pq } = fileNames(set.view.set);
  const query = basicQuery(set.entity);
  return [
    { path: odc, text: connectionFile(set.view.set, query) },
    { path: pq, text: `${query}\n` },
  ];
}

function firstSet({ sets }: Site): Site['sets'][number] | undefined {
  return sets.find(
    ({ entity }) => entity.entitySet !== undefined && entity.hierarchy.setType === undefined && entity.permissions.read?.length !== 0,
  );
}

function fileNames(set: string) {
  return { odc: `${fileName(set)}.odc`, pq: `${fileName(set)}.pq` };
}
