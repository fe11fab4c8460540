interface Targets {
  readonly [workload: string]: { readonly [clients: number]: number | undefined } | undefined;
}

// The product's minimum throughput as a share of F2's, by the number of clients.
const targets: Targets = {
  W1: { 1: 0.8, 16: 0.65, 64: 0.6 },
  W2: { 1: 0.8, 16: 0.75, 64: 0.75 },
  W3: { 1: 0.9, 16: 0.9, 64: 0.9 },
  W4: { 1: 0.9, 16: 0.85, 64: 0.85 },
  W5: { 1: 0.85, 16: 0.8, 64: 0.8 },
  W6: { 1: 0.85 },
  W7: { 1: 0.7, 8: 0.7, 16: 0.7 },
  W8: { 1: 0.6, 16: 0.2, 64: 0.15 },
  W9: { 1: 0.85, 16: 0.85 },
  W10: { 1: 0.85, 16: 0.85 },
  W11: { 1: 0.85, 16: 0.85 },
  W12: { 1: 0.85, 16: 0.85 },
  W13: { 1: 0.85, 16: 0.85 },
  W14: { 1: 0.85, 16: 0.85 },
};

/** The share of F2's throughput that a workload shall reach. */
export function targetOf(workload: string, clients: number): number | undefined {
  return targets[workload]?.[clients];
}

/** How much more a late page of the walk may cost than the second one. */
export const latePageTarget = 1.2;
