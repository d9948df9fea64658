'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import type { Receivable } from '@/lib/ledger/receivables';
import { formatMoney, walletCurrency } from '@/lib/money';
import { collectReceivableAction } from '../actions';
import { unwrapAction } from './unwrap-action';

const money = (cents: number) => formatMoney(cents, walletCurrency);

/** Collects a user's debt from the wallet. Disabled while the wallet is empty. */
export function CollectReceivable({ one }: { one: Receivable }) {
  const router = useRouter();
  const cents = Math.min(one.owedCents, one.balanceCents);
  const user = one.name || one.email;
  if (cents <= 0) return null;
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" aria-label={`Collect ${money(cents)} from ${user}`}>
          Collect
        </Button>
      }
      title={`Take ${money(cents)} from the wallet of ${user}?`}
      description={`${money(one.owedCents)} is owed, and the wallet holds ${money(one.balanceCents)}.`}
      tone="primary"
      confirmLabel={`Take ${money(cents)}`}
      onConfirm={async () => {
        const { paidCents } = await unwrapAction(collectReceivableAction({ userId: one.userId }));
        toast.success(`${money(paidCents)} collected from ${user}.`);
        router.refresh();
      }}
    />
  );
}
