let relative: Intl.RelativeTimeFormat | undefined;
let day: Intl.DateTimeFormat | undefined;

const steps = [
  { unit: 'minute', seconds: 60, until: 3600 },
  { unit: 'hour', seconds: 3600, until: 86_400 },
  { unit: 'day', seconds: 86_400, until: 30 * 86_400 },
] as const;

/**
 * "3 minutes ago", "yesterday", "in 2 hours"; the date after thirty days.
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
