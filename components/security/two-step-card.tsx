'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { Badge } from '../ui/badge';
import { Card, CardBody, CardHeader } from '../ui/card';
import { RecoveryCodes } from './recovery-codes';
import { TwoStepOn } from './two-step-on';
import { TwoStepSetUp } from './two-step-set-up';

type TwoStepCardProps = { email: string; hasPasskeys: boolean; enabledAt: string | null; recoveryCodesLeft: number };

/** Two-step sign-in: setting it up, its recovery codes (shown once), renewing them, and turning it off. */
export function TwoStepCard({ email, hasPasskeys, enabledAt, recoveryCodesLeft }: TwoStepCardProps) {
  const [shown, setShown] = useState<{ codes: string[]; title: string } | null>(null);
  const router = useRouter();
  const [isRefreshing, refresh] = useTransition();
  const [isSaved, setSaved] = useState(false);
  // The codes stand until the page behind them knows what was done: else it would offer the set-up once more.
  if (shown && isSaved && !isRefreshing) {
    setShown(null);
    setSaved(false);
  }
  const show = (title: string) => (codes: string[]) => {
    setShown({ codes, title });
    refresh(() => router.refresh());
  };
  const isOn = enabledAt !== null || hasPasskeys || shown !== null;
  return (
    <Card aria-labelledby="two-step-heading">
      <CardHeader
        title={<span id="two-step-heading">Two-step sign-in</span>}
        description="Besides the password, a code of an authenticator app on your phone, or a passkey."
        actions={isOn ? <Badge tone="green">On</Badge> : <Badge>Off</Badge>}
      />
      <CardBody>
        {shown ? (
          <RecoveryCodes {...shown} pending={isSaved} onDone={() => setSaved(true)} />
        ) : (
          <div className="grid gap-4">
            {enabledAt || hasPasskeys ? (
              <TwoStepOn
                email={email}
                enabledAt={enabledAt}
                recoveryCodesLeft={recoveryCodesLeft}
                onRenewed={show('These codes take the place of all earlier ones.')}
              />
            ) : null}
            {enabledAt ? null : (
              <div>
                <TwoStepSetUp email={email} onDone={show('Two-step sign-in is on. Keep these recovery codes.')} />
              </div>
            )}
          </div>
        )}
      </CardBody>
    </Card>
  );
}
