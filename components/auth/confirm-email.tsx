'use client';

import { useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { ApiError } from '@/lib/browser/api-client';
import { readAction } from '@/lib/browser/call-action';
import type { ActionResult } from '@/lib/platform/http/action';

type ConfirmEmailProps = {
  token: string;
  confirm: (input: { token: string }) => Promise<ActionResult<{ email: string }>>;
};

/** Confirms the new email address of an account by a mailed link. */
export function ConfirmEmail({ token, confirm }: ConfirmEmailProps) {
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(token === '' ? 'Missing token.' : null);
  const [email, setEmail] = useState<string | null>(null);
  const send = async () => {
    setPending(true);
    setError(null);
    try {
      setEmail((await readAction(confirm({ token }))).email);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause.message || 'Network error. Please try again.');
    } finally {
      setPending(false);
    }
  };
  if (email) return <Alert tone="success">{`Your email is now ${email}. Use it to sign in.`}</Alert>;
  return (
    <div className="grid gap-5">
      {error ? <Alert tone="error">{error}</Alert> : null}
      <p className="text-muted">After you confirm, you sign in and receive emails with this address.</p>
      <Button variant="primary" size="lg" pending={pending} disabled={token === ''} onClick={() => void send()}>
        Confirm new email
      </Button>
    </div>
  );
}
