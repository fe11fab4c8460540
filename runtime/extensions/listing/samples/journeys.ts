/** The states of a listing after the draft; the last is the current one. */
interface Journey {
  readonly weight: number;
  readonly states: readonly string[];
}

/** The frequencies of journeys; every step is a transition that the model permits. */
export const journeys: readonly Journey[] = [
  { weight: 6, states: [] },
  { weight: 3, states: ['Coming Soon'] },
  { weight: 24, states: ['Active'] },
  { weight: 4, states: ['Coming Soon', 'Active'] },
  { weight: 2, states: ['Active', 'Hold', 'Active'] },
  { weight: 3, states: ['Active', 'Pending', 'Active'] },
  { weight: 5, states: ['Active', 'Active Under Contract'] },
  { weight: 6, states: ['Active', 'Pending'] },
  { weight: 2, states: ['Active', 'Active Under Contract', 'Pending'] },
  { weight: 2, states: ['Active', 'Hold'] },
  { weight: 4, states: ['Active', 'Withdrawn'] },
  { weight: 3, states: ['Active', 'Canceled'] },
  { weight: 1, states: ['Active', 'Withdrawn', 'Canceled'] },
  { weight: 6, states: ['Active', 'Expired'] },
  { weight: 16, states: ['Active', 'Sold'] },
  { weight: 10, states: ['Active', 'Pending', 'Sold'] },
  { weight: 3, states: ['Active', 'Active Under Contract', 'Pending', 'Sold'] },
  { weight: 2, states: ['Coming Soon', 'Active', 'Pending', 'Sold'] },
];

/** Days in each state before the next one, and the age of a current state. */
export const stays: { readonly [state: string]: { readonly moves: readonly [number, number]; readonly since: readonly [number, number] } } =
  {
    Incomplete: { moves: [1, 20], since: [0, 90] },
    'Coming Soon': { moves: [3, 21], since: [0, 14] },
    Active: { moves: [3, 120], since: [0, 150] },
    'Active Under Contract': { moves: [3, 20], since: [0, 15] },
    Pending: { moves: [10, 60], since: [0, 45] },
    Hold: { moves: [5, 45], since: [0, 40] },
    Withdrawn: { moves: [5, 60], since: [0, 1_050] },
    Canceled: { moves: [1, 1], since: [0, 1_050] },
    Expired: { moves: [1, 1], since: [0, 1_050] },
    Sold: { moves: [1, 1], since: [0, 1_050] },
  };
