import { Alert } from '@/components/ui/alert';

const format = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' });

/** Formats a day in UTC: "Nov 27, 2026". */
export const formatDay = (day: string): string => format.format(new Date(`${day}T00:00:00Z`));

/** Names the dates of the address that are not valid and were left out. */
export function IgnoredDates({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <div className="mb-4">
      <Alert tone="error">
        {names.length === 1 ? 'This date was' : 'These dates were'} ignored: {names.join(', ')}. Use dates from 2000 to
        2100, the first one before the last one, at most five years apart.
      </Alert>
    </div>
  );
}
