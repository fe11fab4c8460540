const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Why `YYYY-MM-DD` (ABNF rule date) is not a day of the calendar, or undefined. */
export function dateFault(text: string): string | undefined {
  const year = text.slice(0, -6);
  const month = Number(text.slice(-5, -3));
  const day = Number(text.slice(-2));
  const name = monthNames[month - 1];
  if (name === undefined) return `${text} is not a date: a year has the months 01 to 12`;
  const days = daysOf(year, month);
  if (day >= 1 && day <= days) return undefined;
  return `${text} is not a date: ${name} ${year} has ${days} days`;
}

/** Why `hh:mm[:ss[.fraction]]` (ABNF rule timeOfDay) is not a time of day, or undefined. */
export function timeFault(text: string): string | undefined {
  const [hour = 0, minute = 0, second = 0] = text.split(':').map(Number);
  if (hour > 23) return `${text} is not a time: hours go from 00 to 23`;
  if (minute > 59) return `${text} is not a time: minutes go from 00 to 59`;
  return second < 60 ? undefined : `${text} is not a time: seconds go from 00 to 59`;
}

/**
 * Why `Z` or `+hh:mm` is not an offset, or undefined; the limit of 14 hours is that of XML Schema and of the world's
 * time zones.
 */
export function offsetFault(text: string): string | undefined {
  const [hours = 0, minutes = 0] = text.slice(1).split(':').map(Number);
  const valid = minutes < 60 && hours * 60 + minutes <= 14 * 60;
  return valid ? undefined : `${text} is not an offset: offsets go from -14:00 to +14:00`;
}

// The calendar repeats every 400 years, so the last four digits decide about leap years.
function daysOf(year: string, month: number): number {
  const short = Number(year.slice(-4));
  const leap = (short % 4 === 0 && short % 100 !== 0) || short % 400 === 0;
  return month === 2 && leap ? 29 : (monthDays[month - 1] ?? 0);
}
