'use client';

import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import { retryChunk } from '@/components/ui/retry-chunk';
import type { Portal } from '@/lib/auth/portals';
import { setReauthenticationHandler, setSignInHandler } from '@/lib/browser/api-client';

const loadDialogs = () => import('./sign-in-again-dialog');
const ReauthenticationDialog = dynamic(
  retryChunk(() => loadDialogs().then((module) => module.ReauthenticationDialog)),
  { ssr: false },
);
const SignInAgainDialog = dynamic(
  retryChunk(() => loadDialogs().then((module) => module.SignInAgainDialog)),
  { ssr: false },
);

/**
 * Holds the state of a dialog that a call opens and awaits.
 * @param setHandler registers what opens it; returns the cleanup
 * @returns null while it is closed, otherwise the callback of the dialog
 */
function usePrompt(setHandler: (open: () => Promise<boolean>) => () => void): ((isDone: boolean) => void) | null {
  const [prompt, setPrompt] = useState<{ resolve: (isDone: boolean) => void } | null>(null);
  useEffect(() => setHandler(() => new Promise((resolve) => setPrompt({ resolve }))), [setHandler]);
  if (!prompt) return null;
  return (isDone) => {
    prompt.resolve(isDone);
    setPrompt(null);
  };
}

/** Opens the password dialog when a call requires a recent authentication. Mounted once, in the root layout. */
export function Reauthentication() {
  const close = usePrompt(setReauthenticationHandler);
  return close && <ReauthenticationDialog onClose={close} />;
}

type SignInAgainProps = {
  portal: Portal;
  /** The user whose page is open. Another user must not save its input. */
  email: string;
};

const setSignIn = (open: () => Promise<boolean>) =>
  setSignInHandler(async () => ((await open()) ? 'signed-in' : 'dismissed'));

/** Opens the sign-in dialog when a change is refused because the session has ended. Mounted once in each portal. */
export function SignInAgain({ portal, email }: SignInAgainProps) {
  const close = usePrompt(setSignIn);
  return close && <SignInAgainDialog portal={portal} email={email} onClose={close} />;
}
