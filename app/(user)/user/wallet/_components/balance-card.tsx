import type { ReactNode } from 'react';
import { Card } from '@/components/ui/card';
import { Money } from '@/components/ui/money';
import { walletCurrency } from '@/lib/money';

/** What the wallet holds, and the way to add to it. */
export function BalanceCard({ balanceCents, children }: { balanceCents: number; children: ReactNode }) {
  return (
    <Card aria-label="Balance" className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-4 px-5 py-4">
      <div>
        <p className="text-muted text-sm">Balance</p>
        <p className="mt-1 flex items-baseline gap-2">
          <Money amountMinor={balanceCents} className="font-medium text-2xl text-ink tracking-tight" />
          <span className="text-muted text-sm">{walletCurrency}</span>
        </p>
      </div>
      {children}
    </Card>
  );
}
