import { SessionList } from '@/components/security/session-list';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { describeUserAgent } from '@/lib/auth/describe-user-agent';
import type { ActiveSession } from '@/lib/auth/security-overview';
import { EndPersonSessions } from './end-person-sessions';

type PersonSessionsProps = { email: string; sessions: ActiveSession[]; mayEnd: boolean };

/** Where somebody is signed in, and the way to end it. */
export function PersonSessions({ email, sessions, mayEnd }: PersonSessionsProps) {
  const lines = sessions.map(({ userAgent, ...session }) => ({ ...session, ...describeUserAgent(userAgent) }));
  return (
    <Card aria-labelledby="sessions-heading">
      <CardHeader
        title={<span id="sessions-heading">Sessions</span>}
        actions={mayEnd && sessions.length > 0 ? <EndPersonSessions email={email} /> : null}
      />
      {sessions.length === 0 ? (
        <CardBody className="text-muted text-sm">Not signed in anywhere.</CardBody>
      ) : (
        <SessionList sessions={lines} />
      )}
    </Card>
  );
}
