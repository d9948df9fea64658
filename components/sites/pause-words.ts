const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** Describes a pause: "Paused until Jan 5, 2027", the day on which it ends. @param text the words without the day */
export const describePause = (text: string, { until }: { until: Date | string | null }): string =>
  until === null ? text : `${text} until ${day.format(new Date(until))}`;
