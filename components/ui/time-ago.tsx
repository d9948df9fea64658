import { relativeTime } from './relative-time';

const absolute = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/**
 * The relative time, with the exact time as title. Plain markup, so that a hundred of them need no JavaScript; the
 * page's single TimeTicker updates them, and formats the title in the user's time zone when the pointer enters.
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
