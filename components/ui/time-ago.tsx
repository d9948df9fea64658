let relative: Intl.RelativeTimeFormat | undefined;
let day: Intl.DateTimeFormat | undefined;

const steps = [
  { unit: 'minute', seconds: 60, until: 3600 },
  { unit: 'hour', seconds: 3600, until: 86_400 },
  { unit: 'day', seconds: 86_400, until: 30 * 86_400 },
] as const;

/**
 * Formats a time relative to now: "3 minutes ago", "yesterday", "in 2 hours"; the date after thirty days.
 * @param at milliseconds since the epoch
 * @param now milliseconds since the epoch
 */
export function relativeTime(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  if (Math.abs(seconds) < 45) return 'just now';
  const step = steps.find(({ until }) => Math.abs(seconds) < until);
  // Created at the first use, because every page loads this module and a browser takes a while to load locale data.
  relative ??= new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });
  day ??= new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
  return step ? relative.format(Math.round(seconds / step.seconds) || Math.sign(seconds), step.unit) : day.format(at);
}

const absolute = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/**
 * Renders the relative time, with the exact time as title. Plain markup, so that a hundred of them need no JavaScript;
 * the page's single TimeTicker updates them, and formats the title in the user's time zone when the pointer enters.
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
