import { own } from '../../runtime/edm/index.js';
import type { EntityType } from '../../runtime/edm/entity-type.js';
import { lazy } from './lazy.js';
import type { Row } from './state.js';

const Moves = lazy(() => import('./moves.js').then((module) => module.Moves));

interface StatesProps {
  readonly type: EntityType;
  readonly row: Row;
  readonly changes: Row;
  readonly mayMove: boolean;
  readonly onMove: (name: string, value: unknown) => void;
}

/** The present state, and those that its record may move to. */
export function States({ type: { transitions }, row, changes, mayMove, onMove }: StatesProps) {
  const property = transitions?.property;
  if (property === undefined || row[property] === undefined) return null;
  const present = String(row[property]);
  const next = own(transitions?.moves ?? {}, present) ?? [];
  return (
    <>
      <div class="states" role="group" aria-label={property}>
        <span class="state present">{present}</span>
        {next.length > 0 && '→'}
        {next.map(({ to, requires = [] }) => (
          <button
            type="button"
            key={to}
            class={`state${changes[property] === to ? ' chosen' : ''}`}
            aria-pressed={changes[property] === to}
            disabled={!mayMove}
            title={requires.length > 0 ? `Requires ${requires.join(', ')}` : undefined}
            onClick={() => onMove(property, changes[property] === to ? row[property] : to)}
          >
            {to}
          </button>
        ))}
      </div>
      <details class="moves">
        <summary>All moves of {property}</summary>
        <Moves property={property} present={present} moves={transitions?.moves ?? {}} />
      </details>
    </>
  );
}
