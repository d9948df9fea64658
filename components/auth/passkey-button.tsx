'use client';

import { useState } from 'react';
import type { PasskeyRequest } from '@/lib/auth/passkey-requests';
import type { PasskeyAssertion } from '@/lib/auth/passkey-schemas';
import { ApiError } from '@/lib/browser/api-client';
import { readAction } from '@/lib/browser/call-action';
import type { ActionResult } from '@/lib/platform/http/action';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { useHydrated } from '../ui/use-hydrated';
import { getPasskey } from './prompt-passkey';

type PasskeyButtonProps = {
  label: string;
  begin: () => Promise<ActionResult<PasskeyRequest>>;
  finish: (response: PasskeyAssertion) => Promise<ActionResult<void>>;
  onDone: () => void;
  /** The message where the server sent no text. Status 0: no response. */
  fallback: (status: number) => string;
};

/** Authenticates with a passkey instead of a password or a code. */
export function PasskeyButton({ label, begin, finish, onDone, fallback }: PasskeyButtonProps) {
  const hydrated = useHydrated();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const send = async () => {
    setPending(true);
    setError(null);
    try {
      const { clientExtensionResults: _, ...response } = await getPasskey(await readAction(begin()));
      await readAction(finish({ ...response, clientExtensionResults: {} }));
      onDone();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setPending(false);
      setError(cause.message || fallback(cause.status));
    }
  };
  return (
    <div className="grid gap-3">
      {error ? <Alert tone="error">{error}</Alert> : null}
      <Button size="lg" pending={pending} disabled={!hydrated} onClick={() => void send()} className="w-full">
        {label}
      </Button>
    </div>
  );
}
