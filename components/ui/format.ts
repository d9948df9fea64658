import type { CappedCount } from '@/db/count-up-to';

/** Formats a number of rows: "1,234", or "10,000+" if there are more than were counted. */
export const formatCount = ({ total, isCapped }: CappedCount): string =>
  `${total.toLocaleString('en-US')}${isCapped ? '+' : ''}`;

/** Formats a number of things: "1 order", "1,200 orders". */
export const countOf = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

/** Formats a size in decimal units with one decimal, "1.4 MB" for 1,400,000, as in file managers. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

const longName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const shortName = new Intl.DateTimeFormat('en-US', { month: 'short', year: '2-digit', timeZone: 'UTC' });
const startOf = (month: string) => new Date(`${month}-01T00:00:00Z`);

/**
 * Formats a month.
 * @example formatMonth('2026-03') // "March 2026"
 */
export const formatMonth = (month: string): string => longName.format(startOf(month));

/** Returns the name of a month on the axis of a chart. @example formatShortMonth('2026-03') // "Mar 26" */
export const formatShortMonth = (month: string): string => shortName.format(startOf(month));

/** Shortens "https://www.example.com/post/" to "example.com/post". */
export function formatUrl(url: string): string {
  return url
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/\/$/, '');
}

/** Returns a user's name and email address in one line. */
export const userLabel = ({ name, email }: { name: string; email: string }) => (name ? `${name} (${email})` : email);

/** Formats a time in its largest unit. @example formatDuration(9_000) // "3 h" */
export function formatDuration(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
