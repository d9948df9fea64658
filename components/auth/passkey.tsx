'use client';

import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { useHydrated } from '@/components/ui/use-hydrated';
import type { PasskeyAssertion } from '@/lib/auth/contract';
import type { PasskeyRequest } from '@/lib/auth/passkey-requests';
import { ApiError, readAction } from '@/lib/browser/api-client';
import type { ActionResult } from '@/lib/platform/http/action';
import { OwnSignInLink } from './sign-in-link';

// Loaded on demand, to keep the sign-in pages small.
const load = () => import('@simplewebauthn/browser');

/** Opens the browser's prompt to create a passkey. @throws ApiError with the reason of a failure */
export function createPasskey(optionsJSON: PublicKeyCredentialCreationOptionsJSON) {
  return prompt(async () => (await load()).startRegistration({ optionsJSON }));
}

/** Opens the browser's prompt to use a passkey. @throws ApiError with the reason of a failure */
export function getPasskey(optionsJSON: PublicKeyCredentialRequestOptionsJSON) {
  return prompt(async () => (await load()).startAuthentication({ optionsJSON }));
}

async function prompt<T>(show: () => Promise<T>): Promise<T> {
  if (window.PublicKeyCredential === undefined) throw new ApiError(400, 'This browser doesn’t support passkeys.');
  return show().catch((cause: unknown) => {
    throw new ApiError(400, messageOf(cause));
  });
}

function messageOf(cause: unknown): string {
  const name = cause instanceof Error ? cause.name : '';
  if (name === 'InvalidStateError') return 'This device already has a passkey for your account.';
  if (name === 'SecurityError') return 'Passkeys need a secure connection. Open this page at its https address.';
  return 'The passkey wasn’t used. Please try again.';
}

type PasskeyButtonProps<Result> = {
  label: string;
  begin: () => Promise<ActionResult<PasskeyRequest>>;
  finish: (response: PasskeyAssertion) => Promise<ActionResult<Result>>;
  onDone: (result: Result) => void;
  /** Called with the server's refusal, which is shown here. */
  onRefused?: (cause: ApiError) => void;
  /** The message where the server sent no text. Status 0: no response. */
  fallback: (status: number) => string;
};

/** Authenticates with a passkey instead of a password or a code. */
export function PasskeyButton<Result>({
  label,
  begin,
  finish,
  onDone,
  onRefused,
  fallback,
}: PasskeyButtonProps<Result>) {
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
      onRefused?.(cause);
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
