'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { turnOffTwoStepAction } from '@/lib/auth/security-actions';
import { Button } from '../ui/button';
import { toast } from '../ui/toast';
import { PasswordStep } from './password-step';

/** Back to the password alone; asks for it first. */
export function TurnOffTwoStep({ email }: { email: string }) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  if (!open) {
    return (
      <Button onClick={() => setOpen(true)} className="justify-self-start">
        Turn off
      </Button>
    );
  }
  return (
    <PasswordStep
      email={email}
      hint="After this the password alone signs you in."
      submitLabel="Turn off"
      variant="danger"
      action={turnOffTwoStepAction}
      onDone={() => {
        toast.success('Two-step sign-in is off.');
        router.refresh();
      }}
      onCancel={() => setOpen(false)}
    />
  );
}
