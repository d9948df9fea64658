const longName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const shortName = new Intl.DateTimeFormat('en-US', { month: 'short', year: '2-digit', timeZone: 'UTC' });
const startOf = (month: string) => new Date(`${month}-01T00:00:00Z`);

/** @example formatMonth('2026-03') // "March 2026" */
export const formatMonth = (month: string): string => longName.format(startOf(month));

/** The name of a month on the axis of a chart. @example formatShortMonth('2026-03') // "Mar 26" */
export const formatShortMonth = (month: string): string => shortName.format(startOf(month));
