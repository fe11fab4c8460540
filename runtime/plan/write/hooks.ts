import { createHooks } from '../../errors/hooks.js';
import type { Item, Planners, Related, RelatedMember } from './plan-link.js';
import type { RelatedPlan } from './write-plan.js';

/** Planners of bodies that a feature provides. */
interface WriteHooks {
  /** Plans the changes of an update at a navigation property: its new targets, or changes among them. */
  readonly planMembers: (
    of: RelatedMember,
    items: readonly Item[],
    extent: RelatedPlan['extent'],
    planners: Planners,
    related: Related,
  ) => void;
}

/** The hooks of `plan/write`. */
export const writeHooks = createHooks<WriteHooks>();
