/** A whole number of the smallest unit as decimal text: 12345 with two digits is 123.45. */
export function decimalText(units: number, digits: number): string {
  const text = String(Math.abs(units)).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return `${units < 0 ? '-' : ''}${whole}.${text.slice(text.length - digits)}`;
}

/** Whole dollars in the database's form. */
export function dollars(amount: number): string {
  return decimalText(amount * 100, 2);
}
