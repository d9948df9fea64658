'use client';

import { useState } from 'react';
import { Badge } from '../ui/badge';
import { Card, CardBody, CardHeader } from '../ui/card';
import { TimeAgo } from '../ui/time-ago';
import { RecoveryCodes } from './recovery-codes';
import { TurnOffTwoStep } from './turn-off-two-step';
import { TwoStepSetUp } from './two-step-set-up';

type TwoStepCardProps = { email: string; enabledAt: string | null; recoveryCodesLeft: number };

/** Two-step sign-in: setting it up, its recovery codes (shown once), and turning it off. */
export function TwoStepCard({ email, enabledAt, recoveryCodesLeft }: TwoStepCardProps) {
  const [newCodes, setNewCodes] = useState<string[] | null>(null);
  return (
    <Card aria-labelledby="two-step-heading">
      <CardHeader
        title={<span id="two-step-heading">Two-step sign-in</span>}
        description="Besides the password, a code of an authenticator app on your phone."
        actions={enabledAt ? <Badge tone="green">On</Badge> : <Badge>Off</Badge>}
      />
      <CardBody>
        {newCodes ? (
          <RecoveryCodes codes={newCodes} onDone={() => setNewCodes(null)} />
        ) : enabledAt ? (
          <div className="grid gap-4">
            <p className="text-muted text-sm">
              On since <TimeAgo at={enabledAt} />. {codesLeft(recoveryCodesLeft)}
            </p>
            <TurnOffTwoStep email={email} />
          </div>
        ) : (
          <TwoStepSetUp email={email} onDone={setNewCodes} />
        )}
      </CardBody>
    </Card>
  );
}

function codesLeft(count: number): string {
  if (count === 0) return 'All recovery codes are used: turn it off and on again to get new ones.';
  return count === 1 ? 'One recovery code is left.' : `${count} recovery codes are left.`;
}
