'use client';

import { useState } from 'react';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { cannotResend, resendVerification, resent } from './resend-verification';

type UnverifiedAlertProps = {
  /** The address somebody tried to sign in with. */
  email: string;
  /** The server's refusal. */
  children: string;
};

/** A sign-in refused because the address is not verified yet: the way on is a new link, one press from here. */
export function UnverifiedAlert({ email, children }: UnverifiedAlertProps) {
  const [step, setStep] = useState<'asking' | 'sending' | 'sent' | 'failed'>('asking');
  const resend = async () => {
    setStep('sending');
    const [outcome] = await Promise.allSettled([resendVerification(email)]);
    setStep(outcome.status === 'fulfilled' ? 'sent' : 'failed');
  };
  return (
    <>
      <Alert tone="error">
        <p>{children}</p>
        {step === 'sent' ? null : (
          <Button size="sm" pending={step === 'sending'} onClick={resend} className="mt-2.5 mb-0.5">
            Resend link
          </Button>
        )}
      </Alert>
      {step === 'sent' ? <Alert tone="success">{resent}</Alert> : null}
      {step === 'failed' ? <Alert tone="error">{cannotResend}</Alert> : null}
    </>
  );
}
