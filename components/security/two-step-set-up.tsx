'use client';

import { useState } from 'react';
import { beginTwoStepAction } from '@/lib/auth/security-actions';
import { Button } from '../ui/button';
import { ConfirmTwoStep, type Enrolment } from './confirm-two-step';
import { PasswordStep } from './password-step';

type TwoStepSetUpProps = { email: string; onDone: (recoveryCodes: string[]) => void };

/** Password, then QR code, then the first code of the app. */
export function TwoStepSetUp({ email, onDone }: TwoStepSetUpProps) {
  const [step, setStep] = useState<'closed' | 'password' | Enrolment>('closed');
  const close = () => setStep('closed');
  if (step === 'closed') return <Button onClick={() => setStep('password')}>Set up two-step sign-in</Button>;
  if (step === 'password') {
    return (
      <PasswordStep
        email={email}
        hint="First, to be sure that it is you."
        submitLabel="Continue"
        action={beginTwoStepAction}
        onDone={setStep}
        onCancel={close}
      />
    );
  }
  return <ConfirmTwoStep enrolment={step} onDone={onDone} onCancel={close} />;
}
