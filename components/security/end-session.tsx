'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { endOtherSessionsAction, endSessionAction } from '@/lib/auth/security-actions';
import { confirmedAction } from './security-call';

/** Signs out one session after a confirmation. */
export function EndSession({ sessionId, device }: { sessionId: string; device: string }) {
  const router = useRouter();
  const end = async () => {
    await confirmedAction(() => endSessionAction({ sessionId }));
    toast.success('Session ended.');
    router.refresh();
  };
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" aria-label={`End session: ${device}`}>
          End
        </Button>
      }
      title={`End the session of ${device}?`}
      description="The device is signed out at its next request and must sign in again."
      confirmLabel="End session"
      onConfirm={end}
    />
  );
}

/** Signs out all other sessions after a confirmation. */
export function EndOtherSessions({ count }: { count: number }) {
  const router = useRouter();
  const end = async () => {
    const { ended } = await confirmedAction(() => endOtherSessionsAction({}));
    toast.success(ended === 1 ? 'One session ended.' : `${ended} sessions ended.`);
    router.refresh();
  };
  return (
    <ConfirmDialog
      trigger={<Button size="sm">End all other sessions</Button>}
      title={count === 1 ? 'End the other session?' : `End the ${count} other sessions?`}
      description="You stay signed in here and are signed out everywhere else."
      confirmLabel="End all other sessions"
      onConfirm={end}
    />
  );
}
