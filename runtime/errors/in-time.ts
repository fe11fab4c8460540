/** The result of work that may not take longer; work that does goes on, and its result is dropped. */
export async function inTime<Result>(work: Promise<Result>, milliseconds: number, lateness: () => Error): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(lateness()), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
