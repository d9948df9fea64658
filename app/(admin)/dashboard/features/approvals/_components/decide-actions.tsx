'use client';

import { Check, X } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { approveAction, rejectAction } from '@/app/(admin)/dashboard/features/approvals/actions';
import { unwrapAction } from '@/app/(admin)/dashboard/features/wallet-manager/_components/unwrap-action';
import { RowMenu } from '@/components/table/record-actions';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { MenuItem } from '@/components/ui/menu';

type DecideActionsProps = {
  id: string;
  summary: string;
  isRequester: boolean;
  /** False for the user's own request, for the user's own wallet and for an expired request. */
  canApprove: boolean;
};

/** Approves or rejects a request. The requester can withdraw it. */
export function DecideActions({ id, summary, isRequester, canApprove }: DecideActionsProps) {
  const router = useRouter();
  const [confirming, setConfirming] = useState<'approve' | 'reject' | null>(null);
  const verb = isRequester ? 'Withdraw' : 'Reject';
  const close = () => setConfirming(null);
  return (
    <>
      {canApprove ? (
        <RowMenu name={summary}>
          <MenuItem icon={<Check className="size-4" />} onSelect={() => setConfirming('approve')}>
            Approve
          </MenuItem>
          <MenuItem icon={<X className="size-4" />} tone="danger" onSelect={() => setConfirming('reject')}>
            {verb}
          </MenuItem>
        </RowMenu>
      ) : (
        <Button
          size="sm"
          aria-haspopup="dialog"
          aria-label={`${verb}: ${summary}`}
          onClick={() => setConfirming('reject')}
        >
          {verb}
        </Button>
      )}
      <ConfirmDialog
        open={confirming === 'approve'}
        onOpenChange={close}
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
      <ConfirmDialog
        open={confirming === 'reject'}
        onOpenChange={close}
        title={`${verb} this request?`}
        description={`${summary} Nothing changes.`}
        confirmLabel={verb}
        onConfirm={async () => {
          await unwrapAction(() => rejectAction({ id }));
          toast.success(isRequester ? 'Request withdrawn.' : 'Request rejected.');
          router.refresh();
        }}
      />
    </>
  );
}
