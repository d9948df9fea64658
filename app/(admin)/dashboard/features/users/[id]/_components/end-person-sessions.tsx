'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { confirmedAction } from '@/components/security/security-call';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { endUserSessionsAction } from '@/lib/auth/security-actions';

/** Ends all sessions of a user after confirmation. */
export function EndPersonSessions({ email }: { email: string }) {
  const router = useRouter();
  const end = async () => {
    const { ended } = await confirmedAction(() => endUserSessionsAction({ email }));
    toast.success(`${email} was signed out: ${ended === 1 ? '1 session' : `${ended} sessions`} ended.`);
    router.refresh();
  };
  return (
    <ConfirmDialog
      trigger={<Button size="sm">End all sessions</Button>}
      title={`Sign ${email} out everywhere?`}
      description="Every browser and app is signed out of the account at its next request and must sign in again."
      confirmLabel="End all sessions"
      onConfirm={end}
    />
  );
}
