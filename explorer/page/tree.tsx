import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isReadable, type Member, membersOf, rootNamed, valuesOf } from '../language/reach.js';
import { descriptions, loadDescriptions } from './descriptions.js';
import { Facets } from './facets.js';
import { described, queryType, setText, settledText, tables } from './state.js';

const sought = signal('');

/** The sets, and their members as a tree through navigation; what the caller may not read is not in it. */
export function Tree() {
  const known = tables.value;
  const aside = useRef<HTMLElement>(null);
  // On a narrow page it stands before the query, which may be scrolled to.
  useEffect(() => aside.current?.scrollIntoView({ block: 'nearest' }), []);
  if (!known) return <aside class="tree" />;
  void loadDescriptions();
  const { entitySets, singletons = {} } = known.container;
  const roots = [...Object.keys(entitySets), ...Object.keys(singletons)].filter((name) => rootNamed(name, known));
  return (
    <aside class="tree" aria-label="Model" ref={aside}>
      <input
        type="search"
        placeholder="Search fields"
        aria-label="Search fields"
        value={sought.value}
        onInput={(event) => (sought.value = event.currentTarget.value)}
      />
      <ul>
        {roots.map((name) => (
          <Root key={name} name={name} />
        ))}
      </ul>
    </aside>
  );
}

function Root({ name }: { readonly name: string }) {
  const known = tables.value;
  const reached = known && rootNamed(name, known);
  const isCurrent = queryType.value?.entitySet === name;
  const [isOpen, setOpen] = useState(isCurrent);
  if (!known || reached?.kind !== 'record') return null;
  const found = sought.value === '' ? isOpen : membersOf(reached.type, known).some(isSought);
  return (
    <li>
      <div class="node">
        <Toggle name={name} isOpen={found} onToggle={() => setOpen(!isOpen)} />
        <button type="button" class={`plain name set${isCurrent ? ' current' : ''}`} onClick={() => setText(firstQueryOf(name))}>
          {name}
        </button>
      </div>
      {found && <Members type={reached.type} path="" root={name} />}
    </li>
  );
}

function firstQueryOf(root: string): string {
  return `GET /${root}\n$top=20`;
}

function isSought({ name }: Member): boolean {
  return name.toLowerCase().includes(sought.value.toLowerCase());
}

function Toggle({ name, isOpen, onToggle }: { readonly name: string; readonly isOpen: boolean; readonly onToggle: () => void }) {
  return (
    <button
      type="button"
      class="plain toggle"
      aria-expanded={isOpen}
      aria-label={`${isOpen ? 'Close' : 'Open'} ${name}`}
      onClick={onToggle}
    >
      {isOpen ? '▾' : '▸'}
    </button>
  );
}

interface MembersProps {
  readonly type: Parameters<typeof membersOf>[0];
  readonly path: string;
  /** The set or singleton whose members these are, or those of its related records. */
  readonly root: string;
}

function Members({ type, path, root }: MembersProps) {
  const known = tables.value;
  if (!known) return null;
  const members = membersOf(type, known).filter((member) => sought.value === '' || isSought(member));
  return (
    <ul>
      {members.map((member) => (
        <Node key={member.name} member={member} path={path} owner={type.qualifiedName} root={root} />
      ))}
    </ul>
  );
}

interface NodeProps extends Pick<MembersProps, 'path' | 'root'> {
  readonly member: Member;
  readonly owner: string;
}

function Node({ member, path, owner, root }: NodeProps) {
  const [isOpen, setOpen] = useState(false);
  const { name, reached, detail, field } = member;
  const whole = path === '' ? name : `${path}/${name}`;
  const known = tables.value;
  const isInner = reached.kind === 'record' && known !== undefined && isReadable(reached.type, known);
  return (
    <li>
      <div class="node">
        <Toggle name={whole} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
        <button
          type="button"
          class={`plain name${isInner ? ' link' : ''}`}
          title="Add to the query"
          onClick={() => void addToQuery(whole, member, root)}
        >
          {name}
        </button>
        <span class="detail">{detail}</span>
      </div>
      {isOpen && descriptions.value.get(`${owner}/${name}`) && <p class="note">{descriptions.value.get(`${owner}/${name}`)}</p>}
      {isOpen && field && <Values values={valuesOf(field)} />}
      {isOpen && field && path === '' && <Facets set={root} name={name} field={field} />}
      {isOpen && isInner && <Members type={reached.type} path={whole} root={root} />}
    </li>
  );
}

function Values({ values }: { readonly values: readonly string[] }) {
  if (values.length === 0) return null;
  return (
    <p class="note values">
      {values.map((value) => (
        <code key={value}>{value.replace(/^'|'$/g, '')}</code>
      ))}
    </p>
  );
}

// A property is selected, and a navigation property expanded; one of another set begins a query of its records.
async function addToQuery(path: string, { reached }: Member, root: string): Promise<void> {
  const isRecord = reached.kind === 'record' && 'key' in reached.type;
  const option = isRecord ? '$expand' : '$select';
  const name = path.replaceAll('/', isRecord ? '($expand=' : '/') + (isRecord ? ')'.repeat(path.split('/').length - 1) : '');
  const written = await settledText();
  const lines = (isAbout(root) ? written : firstQueryOf(root)).split('\n');
  const index = lines.findIndex((line) => line.startsWith(`${option}=`));
  const names = index < 0 ? [] : (lines[index]?.slice(option.length + 1).split(',') ?? []);
  if (names.includes(name)) return;
  const line = `${option}=${[...names.filter((one) => one !== ''), name].join(',')}`;
  setText((index < 0 ? [...lines, line] : lines.with(index, line)).join('\n'));
}

// The records of the query are those of the set, or it has their address.
function isAbout(root: string): boolean {
  return queryType.value?.entitySet === root || described.value.address.split('?', 1)[0] === `/${root}`;
}
