import type { AccountRole } from '@/db/enums';
import type { UserStatus } from '@/db/schema/users';
import type { Seen } from '@/db/write-position';
import type { Permission } from './permissions';

/** The origin of a change, for the audit log. */
export type ActionSource = 'web' | 'token' | 'webhook' | 'job' | 'script';

/** The API token that a request was made with. */
export type ActorToken = {
  id: string;
  name: string;
  /** Scopes and names of permissions (token-scopes.ts). */
  scopes: readonly string[];
};

/** The view of a user's portal by staff. */
export type Viewing = {
  /** The viewed user. */
  userId: string;
  /** The person who views. */
  staff: { userId: string; email: string; name: string; role: string };
  endsAt: Date;
  /** The view ended with this request: the actor is the person who viewed. */
  isOver: boolean;
};

/** The account that a request acts for, and which of its projects the user sees. */
export type AccountScope = {
  accountId: string;
  /** Null for all. */
  projectIds: readonly string[] | null;
};

/** The signed-in user, as read from the database for this request. */
export type Actor = AccountScope & {
  userId: string;
  /** What the user may do in the account (account-roles.ts). */
  accountRole: AccountRole;
  /** Of the account; empty for the own personal one. */
  accountName: string;
  /** The ids of all accounts of which the user is a member. */
  memberOf: readonly string[];
  sessionId: string;
  email: string;
  name: string;
  role: string;
  status: UserStatus;
  /** Those of the user; with an API token, those of them that are among its scopes. */
  permissions: readonly Permission[];
  /** Whether the user entered the password in this session within `reauthenticationSeconds`. */
  hasRecentAuthentication: boolean;
  /** The deadline for setting up a second factor; null when the role does not require one or the user has one. */
  twoStepDueAt: Date | null;
  /** Set when the request was made with an API token. `sessionId` is then empty. */
  token?: ActorToken;
  /** Set in a session of staff that shows this user's portal (lib/auth/viewing.ts). Such an actor reads only. */
  viewing?: Viewing;
  source: ActionSource;
  ip: string;
  requestId: string;
  /** What the reads of this request must see on a replica; undefined for a request that changes something. */
  seen?: Seen | undefined;
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
