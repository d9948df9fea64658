'use client';

import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import { retryChunk } from '@/components/ui/retry-chunk';
import { setReauthenticationHandler } from '@/lib/browser/reauthentication';

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
