import type { SessionLine } from '@/lib/auth/security-overview';
import { Badge } from '../ui/badge';
import { Card, CardHeader } from '../ui/card';
import { cn } from '../ui/cn';
import { TimeAgo } from '../ui/time-ago';
import { deviceName } from './device-name';
import { EndOtherSessions } from './end-other-sessions';
import { EndSession } from './end-session';

/** More than these are folded away: somebody who signs in daily without signing out has many. */
const shownCount = 8;

/** Every place the person is signed in, each with its way out. */
export function SessionsCard({ sessions }: { sessions: SessionLine[] }) {
  const folded = sessions.slice(shownCount);
  const others = sessions.filter((session) => !session.isThis).length;
  return (
    <Card aria-labelledby="sessions-heading">
      <CardHeader
        title={<span id="sessions-heading">Sessions</span>}
        description="Every browser and program that is signed in to your account."
        actions={others > 0 ? <EndOtherSessions count={others} /> : null}
      />
      <Lines sessions={sessions.slice(0, shownCount)} />
      {folded.length > 0 ? (
        <details className="border-line border-t">
          <summary className="cursor-pointer px-4 py-3 text-accent-ink text-sm sm:px-5">
            {folded.length === 1 ? 'One more session' : `${folded.length} more sessions`}
          </summary>
          <Lines sessions={folded} />
        </details>
      ) : null}
    </Card>
  );
}

function Lines({ sessions }: { sessions: SessionLine[] }) {
  return (
    <ul className="divide-y divide-line">
      {sessions.map((session) => (
        <Line key={session.id} session={session} />
      ))}
    </ul>
  );
}

function Line({ session }: { session: SessionLine }) {
  const { id, isThis, isPhone, ip, createdAt, lastSeenAt } = session;
  const icon = isPhone ? 'icon-smartphone' : 'icon-monitor';
  return (
    <li className="flex items-center gap-3 px-4 py-3 sm:px-5">
      <span aria-hidden="true" className={cn(icon, 'size-5 text-subtle')} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium text-ink text-sm">
          {deviceName(session)}
          {isThis ? <Badge tone="green">This session</Badge> : null}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-muted text-xs tabular-nums">
          <span className="break-all max-sm:w-full">{ip || 'Address unknown'}</span>
          <span>
            Signed in <TimeAgo at={createdAt} />
          </span>
          <span>
            Last used <TimeAgo at={lastSeenAt} />
          </span>
        </p>
      </div>
      {isThis ? null : <EndSession sessionId={id} device={deviceName(session)} />}
    </li>
  );
}
