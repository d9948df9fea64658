'use client';

import { useEffect, useState } from 'react';
import { handleReauthentication } from '@/lib/http/with-reauthentication';
import { lazyPart } from '../ui/lazy-part';

const ReauthenticationDialog = lazyPart(() => import('./reauthentication-dialog'), { isDialog: true });

/** Opens the dialog that asks for the password when a call needs it. Stands once, in the root layout. */
export function Reauthentication() {
  const [answer, setAnswer] = useState<{ resolve: (isDone: boolean) => void } | null>(null);
  useEffect(() => handleReauthentication(() => new Promise((resolve) => setAnswer({ resolve }))), []);
  if (!answer) return null;
  return (
    <ReauthenticationDialog
      onAnswer={(isDone) => {
        answer.resolve(isDone);
        setAnswer(null);
      }}
    />
  );
}
