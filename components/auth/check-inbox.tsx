'use client';

import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { accountCreated } from './account-fields';
import { useResend } from './email-verification';

/**
 * Renders the end of a registration: the address to which the mail goes, and a button that sends it again. It is the same
 * for a new and a known address, so that it does not disclose accounts.
 */
export function CheckInbox({ email, onRestart }: { email: string; onRestart: () => void }) {
  const { resend, message, isPending } = useResend(email);
  return (
    <div className="grid gap-5">
      <Alert tone="success">{accountCreated}</Alert>
      <p className="wrap-anywhere text-muted">
        We sent an email to <span className="font-medium text-ink">{email}</span>. Open its link to continue. If you
        can’t find it, look in the spam folder.
      </p>
      {message}
      <div className="flex flex-wrap gap-3">
        <Button pending={isPending} onClick={() => void resend()}>
          Resend link
        </Button>
        <Button variant="ghost" onClick={onRestart}>
          Use another email
        </Button>
      </div>
    </div>
  );
}
