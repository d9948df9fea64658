import { formatMoney } from '@/lib/money';
import { cn } from './cn';

type MoneyProps = {
  /** Integer minor units (cents). */
  amountMinor: number;
  /** ISO 4217; wallets are in USD. */
  currency?: string;
  /** Shows "+" or "−" before the amount, for ledger entries. */
  sign?: 'credit' | 'debit';
  className?: string;
};

/** Renders an amount of money. Its digits are tabular in a right-aligned column (app/globals.css). */
export function Money({ amountMinor, currency = 'USD', sign, className }: MoneyProps) {
  const mark = sign === 'credit' ? '+' : sign === 'debit' ? '−' : '';
  const amount = formatMoney(sign ? Math.abs(amountMinor) : amountMinor, currency);
  return <span className={cn('whitespace-nowrap', className)}>{`${mark}${amount}`}</span>;
}
