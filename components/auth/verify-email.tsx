'use client';

import { useEffect, useState } from 'react';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { Spinner } from '../ui/spinner';
import { ResendForm } from './resend-form';
import { useDelayed } from './use-delayed';
import { missingToken, type VerifyOutcome, verifyOnce } from './verify-once';

/** Spec 000, section 9. */
const redirectDelayMs = 1_200;

/** Uses a mailed link up, says what came of it, and offers a new link where it failed. */
export function VerifyEmail({ token }: { token: string }) {
  const [outcome, setOutcome] = useState<VerifyOutcome | null>(token === '' ? missingToken : null);
  const [attempt, setAttempt] = useState(0);
  const { start } = useDelayed(redirectDelayMs, () => window.location.replace('/user'));

  useEffect(() => {
    if (token === '') return;
    let isHere = true;
    void verifyOnce(token, attempt).then((done) => {
      if (!isHere) return;
      setOutcome(done);
      if (done.ok) start();
    });
    return () => {
      isHere = false;
    };
  }, [token, attempt, start]);

  if (!outcome) {
    return (
      <p role="status" className="flex items-center gap-2.5 text-muted">
        <Spinner /> Verifying your email…
      </p>
    );
  }
  if (outcome.ok) return <Alert tone="success">Email verified! Redirecting…</Alert>;
  const tryAgain = () => {
    setOutcome(null);
    setAttempt(attempt + 1);
  };
  return (
    <div className="grid gap-8">
      <Alert
        tone="error"
        action={
          outcome.mayRetry ? (
            <Button size="sm" onClick={tryAgain}>
              Try again
            </Button>
          ) : null
        }
      >
        {outcome.message}
      </Alert>
      <ResendForm />
    </div>
  );
}
