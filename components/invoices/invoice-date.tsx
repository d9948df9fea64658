const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** "November 21, 2026", in UTC as the books have it: a document reads the same wherever it is opened. */
export function InvoiceDate({ at }: { at: string }) {
  return <time dateTime={at}>{day.format(new Date(at))}</time>;
}
