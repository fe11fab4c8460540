import { SeedError } from './columns.js';
import { type EntityContainer, own, type TransitionTable } from '../../../edm/index.js';
import { checkJourneys } from './life.js';
import { crowdFor, type Crowd } from './people.js';

/** The facts that all listings of a run share. */
export interface World {
  readonly seed: number;
  readonly crowd: Crowd;
  readonly transitions: TransitionTable;
  /** Values of a new draft by property, from the model's defaults. */
  readonly initial: { readonly [property: string]: string };
  /** Prefix of a draft's key. */
  readonly draftPrefix: string;
}

/** The states of listings in the model, and the numbers of members and offices. */
export function worldOf(container: EntityContainer, listings: number, seed: number): World {
  const { transitions, fields = {}, keyGeneration } = own(container.entityTypes, 'Property') ?? {};
  if (transitions === undefined) throw new SeedError('The sample data needs the transitions of Property, but this model has none.');
  checkJourneys(transitions);
  const initial = Object.entries(fields).flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default] as const]));
  return { seed, crowd: crowdFor(listings), transitions, initial: Object.fromEntries(initial), draftPrefix: keyGeneration?.prefix ?? '' };
}
