'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { unwrapAction } from '../../wallet-manager/_components/unwrap-action';
import { approveAction, rejectAction } from '../actions';

type DecideButtonsProps = {
  id: string;
  summary: string;
  isRequester: boolean;
  /** False for the user's own request, for the user's own wallet and for an expired request. */
  canApprove: boolean;
};

/** Approves or rejects a request. The requester can withdraw it. */
export function DecideButtons({ id, summary, isRequester, canApprove }: DecideButtonsProps) {
  const router = useRouter();
  const verb = isRequester ? 'Withdraw' : 'Reject';
  return (
    <span className="flex flex-wrap gap-2">
      {canApprove ? (
        <ConfirmDialog
          trigger={
            <Button size="sm" variant="primary" aria-label={`Approve: ${summary}`}>
              Approve
            </Button>
          }
          title="Approve this change?"
          description={`${summary} It takes effect immediately.`}
          tone="primary"
          confirmLabel="Approve"
          onConfirm={async () => {
            await unwrapAction(() => approveAction({ id }));
            toast.success('Change approved.');
            router.refresh();
          }}
        />
      ) : null}
      <ConfirmDialog
        trigger={
          <Button size="sm" aria-label={`${verb}: ${summary}`}>
            {verb}
          </Button>
        }
        title={`${verb} this request?`}
        description={`${summary} Nothing changes.`}
        confirmLabel={verb}
        onConfirm={async () => {
          await unwrapAction(rejectAction({ id }));
          toast.success(isRequester ? 'Request withdrawn.' : 'Request rejected.');
          router.refresh();
        }}
      />
    </span>
  );
}
