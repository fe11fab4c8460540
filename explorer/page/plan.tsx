import { useEffect, useState } from 'preact/hooks';
import type { Explanation } from '../../runtime/features/explain/explain.js';
import { explainAt, messageOf } from './service.js';
import { described, token } from './state.js';

type Statement = Explanation['statements'][number];
type Node = Statement['plan'];
type Shown = { readonly explanation: Explanation } | { readonly refused: string };

/** The statements of the query with PostgreSQL's plans, for whoever has the scope; the query is not run for it. */
export function Plan() {
  const { address } = described.value;
  const [isAnalyzed, setAnalyzed] = useState(false);
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    const controller = new AbortController();
    void read(address, isAnalyzed, controller.signal).then((found) => controller.signal.aborted || setShown(found));
    return () => controller.abort();
  }, [address, isAnalyzed]);
  if (shown === undefined) return <p class="empty">Loading…</p>;
  return (
    <div class="plan">
      <label>
        <input type="checkbox" checked={isAnalyzed} onChange={(event) => setAnalyzed(event.currentTarget.checked)} />
        Execute the statements, for times and rows
      </label>
      {'refused' in shown ? (
        <p class="error" role="alert">
          {shown.refused}
        </p>
      ) : (
        shown.explanation.statements.map((statement) => <Explained key={statement.text} {...statement} />)
      )}
    </div>
  );
}

async function read(address: string, isAnalyzed: boolean, signal: AbortSignal): Promise<Shown> {
  try {
    const { status, body } = await explainAt(address, {
      token: token.value,
      signal,
      ...(isAnalyzed && { headers: { Prefer: 'analyze' } }),
    });
    return status === 200 ? { explanation: body as Explanation } : { refused: messageOf(body) ?? `The service answered ${status}.` };
  } catch (error) {
    return { refused: `The service cannot be reached: ${(error as Error).message}` };
  }
}

function Explained({ text, plan, indexes, scans }: Statement) {
  return (
    <section>
      <pre tabIndex={0}>{text}</pre>
      <ul class="tree-of-plan" aria-label="Plan">
        <Step node={plan} />
      </ul>
      <p class="note">
        {indexes.length === 0 ? 'No index is used.' : `Indexes: ${indexes.join(', ')}.`}
        {scans
          .map(({ table, index }) => ` ${table} is read as a whole; an index on ${index.join(', ')} would serve its condition.`)
          .join('')}
      </p>
    </section>
  );
}

function Step({ node }: { readonly node: Node }) {
  const { 'Relation Name': table, 'Index Name': index, Plans = [], Filter } = node;
  const condition = [node['Index Cond'], Filter].filter((one) => one !== undefined).join(' and ');
  return (
    <li>
      <strong>{node['Node Type']}</strong> {table} {index !== undefined && <code>{index}</code>} <span class="detail">{costOf(node)}</span>
      {condition !== '' && <code class="condition">{condition}</code>}
      {Plans.length > 0 && (
        <ul>
          {Plans.map((inner, at) => (
            <Step key={at} node={inner} />
          ))}
        </ul>
      )}
    </li>
  );
}

function costOf(node: Node): string {
  const estimate = `cost ${String(node['Total Cost'])}, about ${String(node['Plan Rows'])} rows`;
  return 'Actual Rows' in node ? `${estimate}; ${String(node['Actual Rows'])} rows in ${String(node['Actual Total Time'])} ms` : estimate;
}
