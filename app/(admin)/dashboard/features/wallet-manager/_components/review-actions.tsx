'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import {
  acceptPaymentAction,
  collectReceivableAction,
  confirmReturnAction,
} from '@/app/(admin)/dashboard/features/wallet-manager/actions';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import type { Receivable } from '@/lib/ledger/receivables';
import { formatMoney, walletCurrency } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import type { Withheld } from '@/lib/payments/reversals/withheld-returns';
import { unwrapAction } from './unwrap-action';

type AcceptPaymentButtonProps = { topupId: string; money: string; requested: string; provider: string; user: string };

export function AcceptPaymentButton({ topupId, money, requested, provider, user }: AcceptPaymentButtonProps) {
  const router = useRouter();
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" aria-label={`Credit ${money} to ${user}`}>
          Credit
        </Button>
      }
      title={`Credit ${money} to ${user}?`}
      description={`${requested} was requested. ${provider} holds the amount paid, which becomes the amount of this top-up.`}
      tone="primary"
      confirmLabel={`Credit ${money}`}
      onConfirm={async () => {
        await unwrapAction(() => acceptPaymentAction({ topupId }));
        toast.success(`${money} credited to ${user}.`);
        router.refresh();
      }}
    />
  );
}

/** Confirms that the provider returned the money of a won dispute, and credits it to the buyer. */
export function ConfirmReturn({ one }: { one: Withheld }) {
  const router = useRouter();
  const money = formatMoney(one.amountMinor, one.currency);
  const user = one.user.name || one.user.email;
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" aria-label={`Confirm that ${money} of ${user} was returned`}>
          Confirm return
        </Button>
      }
      title={`Was ${money} returned?`}
      description={`Check your account at ${providerNames[one.provider]} first (${one.reference}). The money is credited to ${user} again, and what they owe is paid from it.`}
      tone="primary"
      confirmLabel={`Confirm return of ${money}`}
      onConfirm={async () => {
        await unwrapAction(() => confirmReturnAction({ reversalId: one.reversalId }));
        toast.success(`${money} returned to ${user}.`);
        router.refresh();
      }}
    />
  );
}

const formatUsd = (cents: number) => formatMoney(cents, walletCurrency);

/** Collects a user's debt from the wallet. Disabled while the wallet is empty. */
export function CollectReceivable({ one }: { one: Receivable }) {
  const router = useRouter();
  const cents = Math.min(one.owedCents, one.balanceCents);
  const user = one.name || one.email;
  if (cents <= 0) return null;
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" aria-label={`Collect ${formatUsd(cents)} from ${user}`}>
          Collect
        </Button>
      }
      title={`Take ${formatUsd(cents)} from the wallet of ${user}?`}
      description={`${formatUsd(one.owedCents)} is owed, and the wallet holds ${formatUsd(one.balanceCents)}.`}
      tone="primary"
      confirmLabel={`Take ${formatUsd(cents)}`}
      onConfirm={async () => {
        const { paidCents } = await unwrapAction(() => collectReceivableAction({ userId: one.userId }));
        toast.success(`${formatUsd(paidCents)} collected from ${user}.`);
        router.refresh();
      }}
    />
  );
}
