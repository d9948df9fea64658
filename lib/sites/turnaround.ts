/** The default turnaround of a site. */
const defaultTurnaround = { tat: '3 Days', tatDays: 3 };
const maxDays = 365;

export type Turnaround = {
  /** The text as displayed. */
  tat: string;
  tatDays: number;
};

/**
 * Parses a turnaround from a form or a file. An empty text is the default; a bare number is a number of days.
 * @returns null for a text that names no duration
 */
export function parseTurnaround(text: string): Turnaround | null {
  if (text === '') return defaultTurnaround;
  if (!/\d|same day|today/i.test(text)) return null;
  const tatDays = parseTatDays(text);
  return { tat: /^\d+$/.test(text) ? `${tatDays} ${tatDays === 1 ? 'Day' : 'Days'}` : text, tatDays };
}

/**
 * Converts a turnaround text to days: "5 Days" is 5, "24 hours" 1, "2-3 weeks" 21. A bare number is days, a range counts
 * by its upper end, and a text without a number has the default of 3.
 */
export function parseTatDays(text: string): number {
  const numbers = text.match(/\d+(?:[.,]\d+)?/g)?.map((digits) => Number(digits.replace(',', '.'))) ?? [];
  if (numbers.length === 0) return /same day|today/i.test(text) ? 1 : defaultTurnaround.tatDays;
  return Math.min(maxDays, Math.max(1, Math.ceil(Math.max(...numbers) * getDaysPerUnit(text))));
}

function getDaysPerUnit(text: string): number {
  if (/\b(?:h(?:ou)?rs?|stunden?|std)\b|\d\s*h\b/i.test(text)) return 1 / 24;
  if (/week|woche|\d\s*wk?s?\b/i.test(text)) return 7;
  return /month|monat|\d\s*mo\b/i.test(text) ? 30 : 1;
}
