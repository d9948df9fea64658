'use client';

import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import { retryChunk } from '@/components/ui/retry-chunk';
import type { Portal } from '@/lib/auth/portals';
import { setSignInHandler } from '@/lib/browser/reauthentication';

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
