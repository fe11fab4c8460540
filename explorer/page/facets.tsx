import { useEffect, useState } from 'preact/hooks';
import type { Field } from '../../runtime/edm/field.js';
import { familyOf } from '../../runtime/expression/methods.js';
import { send } from './service.js';
import { type Row, rowsOf, token } from './state.js';

const patience = 500;

/** The most frequent values of a property, or the least and the greatest, and the share of nulls; nothing where the service takes long. */
export function Facets({ set, name, field }: { readonly set: string; readonly name: string; readonly field: Field }) {
  const [shown, setShown] = useState<readonly string[]>([]);
  useEffect(() => {
    if (field.collection || field.complex) return;
    void readFacets(set, name, field).then(setShown, () => setShown([]));
  }, [set, name]);
  if (shown.length === 0) return null;
  return (
    <ul class="facets" aria-label={`Values of ${name}`}>
      {shown.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

async function readFacets(set: string, name: string, { type, nullable }: Field): Promise<readonly string[]> {
  const isRange = ['number', 'date', 'timestamp'].includes(familyOf[type]);
  const values = isRange
    ? `aggregate(${name} with min as Least,${name} with max as Greatest)`
    : `groupby((${name}),aggregate($count as Many))/topcount(10,Many)/orderby(Many desc)`;
  const nulls = `aggregate($count as All),filter(${name} eq null)/aggregate($count as Nulls)`;
  const apply = nullable ? `concat(${values},${nulls})` : values;
  const answer = await send(`/${set}?$apply=${encodeURIComponent(apply)}`, { token: token.value, signal: AbortSignal.timeout(patience) });
  if (answer.status !== 200) return [];
  const rows = rowsOf(answer.body);
  const all = Number(rows.find((row) => 'All' in row)?.['All'] ?? 0);
  return rows.flatMap((row) => lineOf(row, name, all));
}

function lineOf(row: Row, name: string, all: number): readonly string[] {
  if ('Nulls' in row) return all > 0 ? [`null in ${Math.round((100 * Number(row['Nulls'])) / all)} %`] : [];
  if ('Least' in row) return [`${String(row['Least'])} to ${String(row['Greatest'])}`];
  if ('Many' in row) return [`${row[name] === null ? 'null' : String(row[name])} × ${String(row['Many'])}`];
  return [];
}
