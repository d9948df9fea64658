import { relativeTime } from './relative-time';

const absolute = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/**
 * How long ago, with the exact time as title. Plain markup, so that a table of a hundred costs no script; the one
 * TimeTicker of the page keeps all of them true and puts the title into the reader's time zone.
 */
export function TimeAgo({ at, className }: { at: Date | string | number; className?: string }) {
  const date = new Date(at);
  return (
    <time
      dateTime={date.toISOString()}
      title={`${absolute.format(date)} UTC`}
      data-time-ago=""
      suppressHydrationWarning
      className={className}
    >
      {relativeTime(date.getTime(), Date.now())}
    </time>
  );
}
