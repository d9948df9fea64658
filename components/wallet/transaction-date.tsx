import { TimeAgo } from '../ui/time-ago';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** The day, as it is searched for, and how long ago that was. @param at ISO 8601 */
export function TransactionDate({ at }: { at: string }) {
  return (
    <>
      <span className="text-ink">{day.format(new Date(at))}</span>
      <TimeAgo at={at} className="block text-subtle text-xs" />
    </>
  );
}
