'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { requestTwoStepResetAction } from '@/app/(admin)/dashboard/features/users/actions';
import { confirmedAction } from '@/components/security/security-call';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';

/** Requests the reset of a user's second factors after confirmation. */
export function RequestTwoStepReset({ userId, email }: { userId: string; email: string }) {
  const router = useRouter();
  const request = async () => {
    await confirmedAction(() => requestTwoStepResetAction({ userId }));
    toast.success('Requested. A second admin must approve it.');
    router.refresh();
  };
  return (
    <ConfirmDialog
      trigger={<Button size="sm">Request reset</Button>}
      title="Request a two-step sign-in reset?"
      description={`Make sure the request really comes from ${email}. Once a second admin approves it, the authenticator app, passkeys and recovery codes are removed and all sessions end.`}
      confirmLabel="Request reset"
      onConfirm={request}
    />
  );
}
