// The product's minimum throughput as a share of F2's, with any number of clients.
const targets: { readonly [workload: string]: number | undefined } = {
  W1: 0.92,
  W2: 0.92,
  W3: 1.05,
  W4: 0.96,
  W5: 0.92,
  W6: 0.95,
  W7: 0.85,
  W8: 0.9,
  W9: 0.85,
  W10: 0.85,
  W11: 0.85,
  W12: 0.85,
  W13: 0.85,
  W14: 0.85,
};

/** The share of F2's throughput that a workload shall reach. */
export function targetOf(workload: string): number | undefined {
  return targets[workload];
}

/** How much more a late page of the walk may cost than the second one. */
export const latePageTarget = 1.2;
