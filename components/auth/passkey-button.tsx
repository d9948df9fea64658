'use client';

import { useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { useHydrated } from '@/components/ui/use-hydrated';
import type { PasskeyRequest } from '@/lib/auth/passkey-requests';
import type { PasskeyAssertion } from '@/lib/auth/passkey-schemas';
import { ApiError } from '@/lib/browser/api-client';
import { readAction } from '@/lib/browser/call-action';
import type { ActionResult } from '@/lib/platform/http/action';
import { OwnSignInLink } from './own-sign-in-link';
import { getPasskey } from './prompt-passkey';

type PasskeyButtonProps<Result> = {
  label: string;
  begin: () => Promise<ActionResult<PasskeyRequest>>;
  finish: (response: PasskeyAssertion) => Promise<ActionResult<Result>>;
  onDone: (result: Result) => void;
  /** The message where the server sent no text. Status 0: no response. */
  fallback: (status: number) => string;
};

/** Authenticates with a passkey instead of a password or a code. */
export function PasskeyButton<Result>({ label, begin, finish, onDone, fallback }: PasskeyButtonProps<Result>) {
  const hydrated = useHydrated();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const send = async () => {
    setPending(true);
    setError(null);
    try {
      const { clientExtensionResults: _, ...response } = await getPasskey(await readAction(begin()));
      onDone(await readAction(finish({ ...response, clientExtensionResults: {} })));
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setPending(false);
      setError(cause);
    }
  };
  return (
    <div className="grid gap-3">
      {error ? (
        <Alert tone="error">
          {error.message || fallback(error.status)} <OwnSignInLink url={error.url} />
        </Alert>
      ) : null}
      <Button size="lg" pending={pending} disabled={!hydrated} onClick={() => void send()} className="w-full">
        {label}
      </Button>
    </div>
  );
}
