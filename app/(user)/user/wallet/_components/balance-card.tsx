import type { ReactNode } from 'react';
import { Card } from '@/components/ui/card';
import { Money } from '@/components/ui/money';
import { walletCurrency } from '@/lib/money';

type BalanceCardProps = {
  balanceCents: number;
  /** For payments that were refunded or disputed after their money was spent; 0 for almost everybody. */
  owedCents: number;
  children: ReactNode;
};

/** What the wallet holds, and the way to add to it. */
export function BalanceCard({ balanceCents, owedCents, children }: BalanceCardProps) {
  return (
    <Card aria-label="Balance" className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-4 px-5 py-4">
      <div>
        <p className="text-muted text-sm">Balance</p>
        <p className="mt-1 flex items-baseline gap-2">
          <Money amountMinor={balanceCents} className="font-medium text-2xl text-ink tracking-tight" />
          <span className="text-muted text-sm">{walletCurrency}</span>
        </p>
        {owedCents > 0 ? (
          <p className="mt-1 max-w-lg text-muted text-sm">
            You owe <Money amountMinor={owedCents} className="text-ink" /> for a payment that was refunded or disputed
            after its money was spent. Your next top-up pays it first.
          </p>
        ) : null}
      </div>
      {children}
    </Card>
  );
}
