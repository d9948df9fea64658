import type { ReactNode } from 'react';
import { Badge } from '@/components/ui/badge';
import { Icon } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import { formatDevice, type UserAgentInfo } from '@/lib/auth/describe-user-agent';
import type { ActiveSession } from '@/lib/auth/security-overview';

type ListedSession = UserAgentInfo & Omit<ActiveSession, 'userAgent'> & { isThis?: boolean };

/** The number of sessions shown before "Show more"; a user who never signs out has many. */
const shownCount = 8;

type SessionListProps = {
  sessions: ListedSession[];
  /** The action at the end of a row. */
  actionOf?: (session: ListedSession) => ReactNode;
};

export function SessionList({ sessions, actionOf }: SessionListProps) {
  const folded = sessions.slice(shownCount);
  const lines = (some: ListedSession[]) => (
    <ul className="divide-y divide-line">
      {some.map((session) => (
        <Line key={session.id} session={session} action={actionOf?.(session)} />
      ))}
    </ul>
  );
  return (
    <>
      {lines(sessions.slice(0, shownCount))}
      {folded.length > 0 ? (
        <details className="border-line border-t">
          <summary className="cursor-pointer px-4 py-3 text-accent-ink text-sm sm:px-5">
            {folded.length === 1 ? 'One more session' : `${folded.length} more sessions`}
          </summary>
          {lines(folded)}
        </details>
      ) : null}
    </>
  );
}

function Line({ session, action }: { session: ListedSession; action: ReactNode }) {
  const icon = session.isPhone ? 'smartphone' : 'monitor';
  return (
    <li className="flex items-center gap-3 px-4 py-3 sm:px-5">
      <Icon name={icon} className="size-5 text-subtle" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium text-ink text-sm">
          {formatDevice(session)}
          {session.isThis ? <Badge tone="green">This session</Badge> : null}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-muted text-xs">
          <span className="break-all max-sm:w-full">{session.ip || 'Unknown IP address'}</span>
          <span>
            Signed in <TimeAgo at={session.createdAt} />
          </span>
          <span>
            Last used <TimeAgo at={session.lastSeenAt} />
          </span>
        </p>
      </div>
      {action}
    </li>
  );
}
