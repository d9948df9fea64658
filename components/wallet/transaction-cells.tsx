import { Badge } from '@/components/ui/badge';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import type { Tone } from '@/components/ui/tone';

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

type TransactionAmountProps = {
  type: 'credit' | 'debit';
  /** Integer USD cents, not negative. */
  amountCents: number;
  isPending: boolean;
};

/** Credits are green with a plus, debits have a minus. A pending amount is not in the balance and stays grey. */
export function TransactionAmount({ type, amountCents, isPending }: TransactionAmountProps) {
  const colour = isPending ? 'text-muted' : type === 'credit' ? 'text-green-ink' : 'text-ink';
  return <Money amountMinor={amountCents} sign={type} className={`font-medium ${colour}`} />;
}

/** Completed is green, Pending yellow, any other status grey. A missing status is Completed. */
const tones: Readonly<Record<string, Tone>> = { Completed: 'green', Pending: 'yellow' };

export function TransactionStatus({ status }: { status?: string | null }) {
  const shown = status || 'Completed';
  return <Badge tone={tones[shown] ?? 'grey'}>{shown}</Badge>;
}
