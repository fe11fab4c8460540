import { useEffect, useState } from 'preact/hooks';
import type { Field } from '../../runtime/edm/field.js';
import { familyOf } from '../../runtime/expression/methods.js';
import { send } from './service.js';
import { type Row, rowsOf, token } from './state.js';

const patience = 500;

/** The most frequent values of a property, or the least and the greatest; nothing where the service takes long. */
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

async function readFacets(set: string, name: string, { type }: Field): Promise<readonly string[]> {
  const isRange = ['number', 'date', 'timestamp'].includes(familyOf[type]);
  const apply = isRange
    ? `aggregate(${name} with min as Least,${name} with max as Greatest)`
    : `groupby((${name}),aggregate($count as Many))/topcount(10,Many)/orderby(Many desc)`;
  const answer = await send(`/${set}?$apply=${encodeURIComponent(apply)}`, { token: token.value, signal: AbortSignal.timeout(patience) });
  return answer.status === 200 ? rowsOf(answer.body).map((row) => lineOf(row, name)) : [];
}

function lineOf(row: Row, name: string): string {
  if ('Least' in row) return `${String(row['Least'])} to ${String(row['Greatest'])}`;
  return `${row[name] === null ? 'null' : String(row[name])} × ${String(row['Many'])}`;
}
