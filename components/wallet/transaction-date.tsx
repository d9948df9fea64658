import { TimeAgo } from '../ui/time-ago';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** The date in the format of the date filter, and the relative time. @param at ISO 8601 */
export function TransactionDate({ at }: { at: string }) {
  return (
    <>
      <span className="text-ink">{day.format(new Date(at))}</span>
      <TimeAgo at={at} className="block text-subtle text-xs" />
    </>
  );
}
