const format = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' });

/** Formats a day in UTC: "Nov 27, 2026". */
export const formatDay = (day: string): string => format.format(new Date(`${day}T00:00:00Z`));
