'use client';

import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import { retryChunk } from '@/components/ui/retry-chunk';
import type { Portal } from '@/lib/auth/portals';
import { setReauthenticationHandler, setSignInHandler } from '@/lib/browser/api-client';

const ReauthenticationDialog = dynamic(
  retryChunk(() => import('./reauthentication-dialog').then((module) => module.ReauthenticationDialog)),
  { ssr: false },
);

/** Opens the password dialog when a call requires a recent authentication. Mounted once, in the root layout. */
export function Reauthentication() {
  const [response, setPrompt] = useState<{ resolve: (isDone: boolean) => void } | null>(null);
  useEffect(() => setReauthenticationHandler(() => new Promise((resolve) => setPrompt({ resolve }))), []);
  if (!response) return null;
  return (
    <ReauthenticationDialog
      onClose={(isDone) => {
        response.resolve(isDone);
        setPrompt(null);
      }}
    />
  );
}

const SignInAgainDialog = dynamic(
  retryChunk(() => import('./sign-in-again-dialog').then((module) => module.SignInAgainDialog)),
  { ssr: false },
);

type SignInAgainProps = {
  portal: Portal;
  /** The user whose page is open. Another user must not save its input. */
  email: string;
};

/** Opens the sign-in dialog when a change is refused because the session has ended. Mounted once in each portal. */
export function SignInAgain({ portal, email }: SignInAgainProps) {
  const [prompt, setPrompt] = useState<{ resolve: (isDone: boolean) => void } | null>(null);
  useEffect(
    () =>
      setSignInHandler(async () =>
        (await new Promise<boolean>((resolve) => setPrompt({ resolve }))) ? 'signed-in' : 'dismissed',
      ),
    [],
  );
  if (!prompt) return null;
  return (
    <SignInAgainDialog
      portal={portal}
      email={email}
      onClose={(isDone) => {
        prompt.resolve(isDone);
        setPrompt(null);
      }}
    />
  );
}
