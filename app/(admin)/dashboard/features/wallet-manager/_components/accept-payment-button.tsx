'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { acceptPaymentAction } from '../actions';
import { unwrapAction } from './unwrap-action';

type AcceptPaymentButtonProps = { topupId: string; money: string; asked: string; provider: string; user: string };

export function AcceptPaymentButton({ topupId, money, asked, provider, user }: AcceptPaymentButtonProps) {
  const router = useRouter();
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" aria-label={`Credit ${money} to ${user}`}>
          Credit
        </Button>
      }
      title={`Credit ${money} to ${user}?`}
      description={`${asked} was asked for. ${provider} holds what was paid; it becomes the amount of this top-up.`}
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
