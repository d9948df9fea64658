import type { ReactNode } from 'react';
import type { SecurityOverview } from '@/lib/auth/security-overview';
import { PageHeader } from '../ui/page-header';
import { MailsCard } from './mails-card';
import { PasskeysCard } from './passkeys-card';
import { PasswordCard } from './password-card';
import { SessionsCard } from './sessions-card';
import { TwoStepCard } from './two-step-card';

/** Sessions, password, two-step sign-in and mails: the same page in every portal. */
export function SecurityPage({
  email,
  sessions,
  twoStep,
  passkeys,
  mails,
  children,
}: SecurityOverview & { children?: ReactNode }) {
  return (
    <>
      <PageHeader
        title="Security"
        description="Where you are signed in, what it takes to sign in, and what we write to you about."
      />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <div className="grid min-w-0 gap-4">
          <SessionsCard sessions={sessions} />
          <PasskeysCard
            email={email}
            passkeys={passkeys.map(({ createdAt, lastUsedAt, ...passkey }) => ({
              ...passkey,
              createdAt: createdAt.toISOString(),
              lastUsedAt: lastUsedAt?.toISOString() ?? null,
            }))}
          />
          <TwoStepCard
            email={email}
            hasPasskeys={passkeys.length > 0}
            enabledAt={twoStep.enabledAt?.toISOString() ?? null}
            recoveryCodesLeft={twoStep.recoveryCodesLeft}
          />
        </div>
        <div className="grid min-w-0 gap-4">
          <PasswordCard email={email} />
          {mails.length > 0 ? <MailsCard choices={mails} /> : null}
          {children}
        </div>
      </div>
    </>
  );
}
