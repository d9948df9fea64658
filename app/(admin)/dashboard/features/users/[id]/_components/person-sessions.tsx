import { deviceName } from '@/components/security/device-name';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import { TimeAgo } from '@/components/ui/time-ago';
import { describeUserAgent } from '@/lib/auth/describe-user-agent';
import type { RunningSession } from '@/lib/auth/list-sessions';
import { EndPersonSessions } from './end-person-sessions';

/** More than these are folded away: somebody who signs in daily without signing out has many. */
const shownCount = 6;

type PersonSessionsProps = { email: string; sessions: RunningSession[]; mayEnd: boolean };

/** Where somebody is signed in, and the way to end it. */
export function PersonSessions({ email, sessions, mayEnd }: PersonSessionsProps) {
  return (
    <Card aria-labelledby="sessions-heading">
      <CardHeader
        title={<span id="sessions-heading">Sessions</span>}
        actions={mayEnd && sessions.length > 0 ? <EndPersonSessions email={email} /> : null}
      />
      {sessions.length === 0 ? (
        <CardBody className="text-muted text-sm">Not signed in anywhere.</CardBody>
      ) : (
        <>
          <Lines sessions={sessions.slice(0, shownCount)} />
          {sessions.length > shownCount ? (
            <details className="border-line border-t">
              <summary className="cursor-pointer px-4 py-3 text-accent-ink text-sm sm:px-5">
                {`${sessions.length - shownCount} more`}
              </summary>
              <Lines sessions={sessions.slice(shownCount)} />
            </details>
          ) : null}
        </>
      )}
    </Card>
  );
}

function Lines({ sessions }: { sessions: RunningSession[] }) {
  return (
    <ul className="divide-y divide-line">
      {sessions.map((session) => (
        <SessionLine key={session.id} session={session} />
      ))}
    </ul>
  );
}

function SessionLine({ session: { userAgent, ip, createdAt, lastSeenAt } }: { session: RunningSession }) {
  const device = describeUserAgent(userAgent);
  const icon = device.isPhone ? 'icon-smartphone' : 'icon-monitor';
  return (
    <li className="flex items-center gap-3 px-4 py-3 sm:px-5">
      <span aria-hidden="true" className={cn(icon, 'size-5 text-subtle')} />
      <div className="min-w-0 flex-1">
        <p className="font-medium text-ink text-sm">{deviceName(device)}</p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-muted text-xs tabular-nums">
          <span className="break-all">{ip || 'Address unknown'}</span>
          <span>
            Signed in <TimeAgo at={createdAt} />
          </span>
          <span>
            Last used <TimeAgo at={lastSeenAt} />
          </span>
        </p>
      </div>
    </li>
  );
}
