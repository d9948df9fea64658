import type { ReactNode } from 'react';
import { Card, CardHeader } from '@/components/ui/card';
import { PageHeader } from '@/components/ui/page-header';
import { formatDevice } from '@/lib/auth/describe-user-agent';
import type { SecurityOverview, SessionItem } from '@/lib/auth/security-overview';
import type { TokenOverview } from '@/lib/developers/tokens/tokens';
import type { ChatOverview } from '@/lib/developers/webhooks/chats/connect';
import { ApiTokensCard } from './api-tokens-card';
import { ChatsCard } from './chats-card';
import { EndOtherSessions, EndSession } from './end-sessions';
import { MailsCard } from './mails-card';
import { PasskeysCard } from './passkeys-card';
import { PasswordCard } from './password-card';
import { SessionList } from './session-list';
import { TwoStepCard } from './two-step-card';

type SecurityPageProps = SecurityOverview & {
  apiTokens: TokenOverview | null;
  chats: ChatOverview | null;
  children?: ReactNode;
};

/** Sessions, password, two-step sign-in, API tokens, mail preferences and chats. The page is the same in every portal. */
export function SecurityPage(props: SecurityPageProps) {
  const { email, sessions, twoStep, passkeys, mails, weeklyMail, apiTokens, chats, children } = props;
  return (
    <>
      <PageHeader title="Security" description="Manage your sessions, sign-in methods and email preferences." />
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
          {apiTokens ? <ApiTokensCard {...apiTokens} /> : null}
          {mails.length > 0 ? <MailsCard choices={mails} weekly={weeklyMail} /> : null}
          {chats ? <ChatsCard {...chats} /> : null}
          {children}
        </div>
      </div>
    </>
  );
}

/** Renders the user's sessions, each with a Sign out button. */
function SessionsCard({ sessions }: { sessions: SessionItem[] }) {
  const others = sessions.filter((session) => !session.isThis).length;
  return (
    <Card aria-labelledby="sessions-heading">
      <CardHeader
        title={<span id="sessions-heading">Sessions</span>}
        description="Browsers and apps signed in to your account."
        actions={others > 0 ? <EndOtherSessions count={others} /> : null}
      />
      <SessionList
        sessions={sessions}
        actionOf={(session) =>
          session.isThis ? null : <EndSession sessionId={session.id} device={formatDevice(session)} />
        }
      />
    </Card>
  );
}
