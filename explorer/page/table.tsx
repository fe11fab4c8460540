import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { inWords } from './cells.js';
import { ran, type Row } from './state.js';

const rowHeight = 30;
const spare = 10;

interface Props {
  readonly rows: readonly Row[];
  /** Records that have changed just now. */
  readonly marked: ReadonlySet<Row>;
  readonly onOpen: (row: Row) => void;
  readonly onEnd: () => void;
}

/** Records as a table, whose rows outside of the view are not in the page. */
export function Table({ rows, marked, onOpen, onEnd }: Props) {
  const { view, active, setActive, first, last, onScroll } = useWindow(rows, onEnd);
  const shape = useColumns(rows);
  const onClick = (index: number, row: Row): void => {
    setActive(index);
    onOpen(row);
  };
  const lineOf = (row: Row, index: number) => (
    <Line
      key={index}
      {...shape}
      row={row}
      index={index}
      isActive={active === index}
      isMarked={marked.has(row)}
      onClick={() => onClick(index, row)}
    />
  );
  if (rows.length === 0) return <p class="empty">No records.</p>;
  return (
    <div class="table" ref={view} onScroll={onScroll}>
      <table
        role="grid"
        tabIndex={0}
        aria-label="Records"
        aria-rowcount={rows.length + 1}
        aria-activedescendant={active >= first && active < last ? `row-${active}` : undefined}
        onKeyDown={(event) => onKey(event, rows, active, { setActive, onOpen })}
      >
        <Head {...shape} />
        <tbody>
          {first > 0 && <Gap rows={first} columns={shape.columns.length} />}
          {rows.slice(first, last).map((row, index) => lineOf(row, first + index))}
          {last < rows.length && <Gap rows={rows.length - last} columns={shape.columns.length} />}
        </tbody>
      </table>
    </div>
  );
}

interface Moving {
  readonly setActive: (index: number) => void;
  readonly onOpen: (row: Row) => void;
}

function onKey(event: KeyboardEvent, rows: readonly Row[], active: number, { setActive, onOpen }: Moving): void {
  const row = rows[active];
  const step = steps[event.key];
  if (step !== undefined) setActive(Math.max(0, Math.min(rows.length - 1, active + step)));
  else if (event.key === 'Enter' && row && !event.ctrlKey && !event.metaKey) onOpen(row);
  else return;
  event.preventDefault();
}

function useColumns(rows: readonly Row[]): Columns {
  const selected = ran.value?.form?.select;
  return useMemo(() => {
    const columns = columnsOf(rows, selected ?? []);
    return { columns, numeric: new Set(columns.filter((name) => rows.some((row) => typeof row[name] === 'number'))) };
  }, [rows, selected]);
}

/** The rows that a key moves. */
const steps: { readonly [key: string]: number | undefined } = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 15,
  PageUp: -15,
  Home: -Infinity,
  End: Infinity,
};

/** The rows in the view and a few around it; the chosen one is scrolled into it. */
function useWindow(rows: readonly Row[], onEnd: () => void) {
  const view = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [active, setActive] = useState(0);
  useEffect(() => {
    const list = view.current;
    if (!list) return;
    const at = active * rowHeight;
    if (at < list.scrollTop) list.scrollTop = at;
    if (at + 2 * rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = at + 2 * rowHeight - list.clientHeight;
  }, [active]);
  const onScroll = (event: Event): void => {
    const { scrollTop, clientHeight, scrollHeight } = event.currentTarget as HTMLElement;
    setTop(scrollTop);
    if (scrollTop > 0 && scrollTop + clientHeight > scrollHeight - 5 * rowHeight) onEnd();
  };
  const first = Math.max(0, Math.floor(top / rowHeight) - spare);
  const last = Math.min(rows.length, Math.ceil((top + (view.current?.clientHeight ?? 900)) / rowHeight) + spare);
  return { view, active, setActive, first, last, onScroll };
}

interface Columns {
  readonly columns: readonly string[];
  /** Those with numbers, which stand to the right. */
  readonly numeric: ReadonlySet<string>;
}

function Head({ columns, numeric }: Columns) {
  return (
    <thead>
      <tr>
        {columns.map((name) => (
          <th key={name} scope="col" class={numeric.has(name) ? 'number' : ''}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface LineProps extends Columns {
  readonly row: Row;
  readonly index: number;
  readonly isActive: boolean;
  readonly isMarked: boolean;
  readonly onClick: () => void;
}

function Line({ row, index, columns, numeric, isActive, isMarked, onClick }: LineProps) {
  return (
    <tr
      id={`row-${index}`}
      aria-rowindex={index + 2}
      aria-selected={isActive}
      class={`${isActive ? 'active' : ''}${isMarked ? ' marked' : ''}`}
      onClick={onClick}
    >
      {columns.map((name) => (
        <Cell key={name} value={row[name]} isNumeric={numeric.has(name)} />
      ))}
    </tr>
  );
}

function Gap({ rows, columns }: { readonly rows: number; readonly columns: number }) {
  const height = useRef<HTMLTableRowElement>(null);
  // The policy forbids style attributes, but not styles that are set by a script.
  useEffect(() => void height.current?.style.setProperty('height', `${rows * rowHeight}px`));
  return (
    <tr ref={height} aria-hidden="true">
      <td colSpan={columns} />
    </tr>
  );
}

function Cell({ value, isNumeric }: { readonly value: unknown; readonly isNumeric: boolean }) {
  const { text, kind } = inWords(value);
  return (
    <td class={isNumeric && kind !== 'number' ? `number ${kind}` : kind} title={text.length > 40 ? text.slice(0, 500) : undefined}>
      {text}
    </td>
  );
}

/** The properties of the records in the order of `$select`, and the others as they come; without control information. */
function columnsOf(rows: readonly Row[], selected: readonly string[]): readonly string[] {
  const names = [...new Set(rows.slice(0, 200).flatMap(Object.keys))].filter((name) => !name.includes('@'));
  return [...selected.filter((name) => names.includes(name)), ...names.filter((name) => !selected.includes(name))];
}
