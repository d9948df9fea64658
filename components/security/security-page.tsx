import type { ReactNode } from 'react';
import type { SecurityOverview } from '@/lib/auth/security-overview';
import { PageHeader } from '../ui/page-header';
import { PasswordCard } from './password-card';
import { SessionsCard } from './sessions-card';
import { TwoStepCard } from './two-step-card';

/** Sessions, password and two-step sign-in: the same page in every portal. */
export function SecurityPage({ email, sessions, twoStep, children }: SecurityOverview & { children?: ReactNode }) {
  return (
    <>
      <PageHeader title="Security" description="Where you are signed in, and what it takes to sign in." />
      <div className="grid max-w-3xl gap-4">
        <SessionsCard sessions={sessions} />
        <PasswordCard email={email} />
        {twoStep ? (
          <TwoStepCard
            email={email}
            enabledAt={twoStep.enabledAt?.toISOString() ?? null}
            recoveryCodesLeft={twoStep.recoveryCodesLeft}
          />
        ) : null}
        {children}
      </div>
    </>
  );
}
