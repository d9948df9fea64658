import type { UserStatus } from '../../db/schema/users';
import type { Permission } from './permissions';

/** The origin of a change, for the audit log. */
export type ActionSource = 'web' | 'webhook' | 'job' | 'script';

/** The signed-in user, as read from the database for this request. */
export type Actor = {
  userId: string;
  sessionId: string;
  email: string;
  name: string;
  role: string;
  status: UserStatus;
  permissions: readonly Permission[];
  /** Whether the user entered the password in this session within `reauthenticationSeconds`. */
  hasRecentAuthentication: boolean;
  /** The deadline for setting up a second factor; null when the role does not require one or the user has one. */
  twoStepDueAt: Date | null;
  source: ActionSource;
  ip: string;
  requestId: string;
};

/** An actor without a user: a webhook, a job or a script. The audit log shows `name`. */
export type SystemActor = {
  userId: null;
  name: string;
  role: 'System';
  source: ActionSource;
  ip: string;
  requestId: string;
};

export type AnyActor = Actor | SystemActor;

/** Creates an actor for work that no user started. */
export function systemActor(
  name: string,
  source: ActionSource,
  context: { ip?: string; requestId?: string } = {},
): SystemActor {
  return { userId: null, name, role: 'System', source, ip: context.ip ?? '', requestId: context.requestId ?? '' };
}
