'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { formatMoney } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import type { Withheld } from '@/lib/payments/reversals/withheld-returns';
import { confirmReturnAction } from '../actions';
import { unwrapAction } from './unwrap-action';

/** Confirms that the provider returned the money of a won dispute, and credits it to the buyer. */
export function ConfirmReturn({ one }: { one: Withheld }) {
  const router = useRouter();
  const money = formatMoney(one.amountMinor, one.currency);
  const user = one.user.name || one.user.email;
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" aria-label={`${money} of ${user} came back`}>
          It came back
        </Button>
      }
      title={`Did ${money} come back?`}
      description={`Look for it in your account at ${providerNames[one.provider]} first (${one.reference}). It then goes to ${user} again; what they owe is paid from it.`}
      tone="primary"
      confirmLabel={`${money} came back`}
      onConfirm={async () => {
        await unwrapAction(() => confirmReturnAction({ reversalId: one.reversalId }));
        toast.success(`${money} returned to ${user}.`);
        router.refresh();
      }}
    />
  );
}
