import { Money } from '../ui/money';

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
