'use client';

import { useState } from 'react';
import { useLogout } from '@/components/shell/use-logout';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { ApiError, apiFetch, readAction } from '@/lib/browser/api-client';
import type { ActionResult } from '@/lib/platform/http/action';

type Switch = (input: { accountId: string }) => Promise<ActionResult<void>>;

type JoinAccountProps = {
  accountId: string;
  /** The token of the invitation; null for a member, who opens the account. */
  token: string | null;
  switchAccount: Switch;
};

/** Accepts an invitation and opens the account. Opening the page changes nothing: mail scanners open links. */
export function JoinAccount({ accountId, token, switchAccount }: JoinAccountProps) {
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const open = async () => {
    setPending(true);
    setError(null);
    try {
      if (token !== null) await apiFetch(`/api/user/invitations/${token}/accept`, { method: 'POST' });
      await readAction(switchAccount({ accountId }));
      // A full page load discards what the router has of the other account.
      window.location.replace('/user');
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause.message || 'Network error. Please try again.');
      setPending(false);
    }
  };
  return (
    <div className="grid gap-5">
      {error ? <Alert tone="error">{error}</Alert> : null}
      <Button variant="primary" size="lg" pending={pending} onClick={() => void open()}>
        {token === null ? 'Open the account' : 'Accept'}
      </Button>
    </div>
  );
}

/** Signs out and opens the sign-in page, which returns to the invitation. */
export function UseOtherAddress({ signIn }: { signIn: string }) {
  const { pending, logout } = useLogout('/api/user/auth/logout', signIn);
  return (
    <Button size="lg" pending={pending} onClick={() => void logout()}>
      Use another address
    </Button>
  );
}
