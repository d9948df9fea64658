import { deviceName } from '@/lib/auth/describe-user-agent';
import type { SessionLine } from '@/lib/auth/security-overview';
import { Card, CardHeader } from '../ui/card';
import { EndOtherSessions } from './end-other-sessions';
import { EndSession } from './end-session';
import { SessionList } from './session-list';

/** Every place the person is signed in, each with its way out. */
export function SessionsCard({ sessions }: { sessions: SessionLine[] }) {
  const others = sessions.filter((session) => !session.isThis).length;
  return (
    <Card aria-labelledby="sessions-heading">
      <CardHeader
        title={<span id="sessions-heading">Sessions</span>}
        description="Every browser and program that is signed in to your account."
        actions={others > 0 ? <EndOtherSessions count={others} /> : null}
      />
      <SessionList
        sessions={sessions}
        actionOf={(session) =>
          session.isThis ? null : <EndSession sessionId={session.id} device={deviceName(session)} />
        }
      />
    </Card>
  );
}
