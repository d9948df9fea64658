'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { renewRecoveryCodesAction, turnOffTwoStepAction } from '@/lib/auth/security-actions';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { TimeAgo } from '../ui/time-ago';
import { PasswordStep } from './password-step';

/** From here on somebody should think of new codes, before the last one is gone. */
const fewCodes = 3;

type TwoStepOnProps = {
  email: string;
  /** When the authenticator app was set up; null where passkeys are the second step. */
  enabledAt: string | null;
  recoveryCodesLeft: number;
  onRenewed: (recoveryCodes: string[]) => void;
};

/** What stands while two-step sign-in is on: how many codes are left, new ones, and the way back to the password. */
export function TwoStepOn({ email, enabledAt, recoveryCodesLeft, onRenewed }: TwoStepOnProps) {
  const router = useRouter();
  const [step, setStep] = useState<'closed' | 'renew' | 'turn-off'>('closed');
  const close = () => setStep('closed');
  if (step === 'renew') {
    return (
      <PasswordStep
        key={step}
        email={email}
        hint="The earlier codes stop working as soon as you have the new ones."
        submitLabel="Make new codes"
        action={renewRecoveryCodesAction}
        onDone={({ recoveryCodes }) => onRenewed(recoveryCodes)}
        onCancel={close}
      />
    );
  }
  if (step === 'turn-off') {
    return (
      <PasswordStep
        key={step}
        email={email}
        hint="After this the app's codes are not asked for; passkeys stay."
        submitLabel="Turn off"
        variant="danger"
        action={turnOffTwoStepAction}
        onDone={() => {
          toast.success('Two-step sign-in is off.');
          router.refresh();
        }}
        onCancel={close}
      />
    );
  }
  return (
    <div className="grid gap-4">
      {recoveryCodesLeft < fewCodes ? (
        <Alert tone="warning">{codesLeft(recoveryCodesLeft)} Make new ones while you can sign in.</Alert>
      ) : null}
      <p className="text-muted text-sm">
        {enabledAt ? (
          <>
            On since <TimeAgo at={enabledAt} />.
          </>
        ) : (
          'Your passkeys are the second step.'
        )}{' '}
        {recoveryCodesLeft < fewCodes ? null : codesLeft(recoveryCodesLeft)}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setStep('renew')}>New recovery codes</Button>
        {enabledAt ? <Button onClick={() => setStep('turn-off')}>Turn off</Button> : null}
      </div>
    </div>
  );
}

function codesLeft(count: number): string {
  if (count === 0) return 'All recovery codes are used.';
  return count === 1 ? 'One recovery code is left.' : `${count} recovery codes are left.`;
}
