/** What a site without a word about its turnaround has (spec 001, section 9). */
const defaultDays = 3;
const maxDays = 365;

/**
 * The days meant by a turnaround text: "5 Days" is 5, "24 hours" 1, "2-3 weeks" 21. A bare number counts days, a range
 * its longer end, and a text without a number the default of 3.
 */
export function readTatDays(text: string): number {
  const numbers = text.match(/\d+(?:[.,]\d+)?/g)?.map((digits) => Number(digits.replace(',', '.'))) ?? [];
  if (numbers.length === 0) return /same day|today/i.test(text) ? 1 : defaultDays;
  return Math.min(maxDays, Math.max(1, Math.ceil(Math.max(...numbers) * daysPer(text))));
}

function daysPer(text: string): number {
  if (/\bh(ou)?rs?\b|\d\s*h\b/i.test(text)) return 1 / 24;
  if (/week|\d\s*wk?s?\b/i.test(text)) return 7;
  return /month|\d\s*mo\b/i.test(text) ? 30 : 1;
}
