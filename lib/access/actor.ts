import type { UserStatus } from '../../db/schema/users';
import type { Permission } from './permissions';

/** Where a change came from, for the audit log. */
export type ActionSource = 'web' | 'webhook' | 'job' | 'script';

/** A signed-in person, as the database has them at this request. */
export type Actor = {
  userId: string;
  sessionId: string;
  email: string;
  name: string;
  role: string;
  status: UserStatus;
  permissions: readonly Permission[];
  /** Whether the password was typed in this session within `reauthenticationSeconds`. */
  hasRecentAuthentication: boolean;
  /** By when the person must set up a second factor; null where the role requires none, or the person has one. */
  twoStepDueAt: Date | null;
  source: ActionSource;
  ip: string;
  requestId: string;
};

/** What acts without a person: a webhook, a job, a script. `name` is what the audit log shows. */
export type SystemActor = {
  userId: null;
  name: string;
  role: 'System';
  source: ActionSource;
  ip: string;
  requestId: string;
};

export type AnyActor = Actor | SystemActor;

/** An actor for work nobody signed in for. */
export function systemActor(
  name: string,
  source: ActionSource,
  context: { ip?: string; requestId?: string } = {},
): SystemActor {
  return { userId: null, name, role: 'System', source, ip: context.ip ?? '', requestId: context.requestId ?? '' };
}
