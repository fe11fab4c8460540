/** Seconds of a day. */
export const secondsOfDay = 86_400;

/** The end of the sample data; fixed, so that two runs give the same bytes. */
export const today = Date.UTC(2026, 10, 1) / 1000;

/** The day of `today`, counted from 1970. */
export const todayDay = today / secondsOfDay;

/** The day of a moment (UTC). */
export function dayOf(second: number): number {
  return Math.floor(second / secondsOfDay);
}

/** A moment within a day's working hours (13:00 to 23:59 UTC is morning to evening in North America). */
export function momentOf(day: number, share: number): number {
  return day * secondsOfDay + 46_800 + Math.floor(share * 39_600);
}

/** The last Monday 02:00 up to the moment, when nightly feeds modify many rows at once. */
export function feedBefore(second: number): number {
  const shift = 4 * secondsOfDay + 7_200;
  const week = 7 * secondsOfDay;
  return Math.floor((second - shift) / week) * week + shift;
}

/** A moment as text, with seconds and `Z`. */
export function momentText(second: number): string {
  return `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
}

/** A day as text. */
export function dayText(day: number): string {
  return new Date(day * secondsOfDay * 1000).toISOString().slice(0, 10);
}
