import type { InferSelectModel } from 'drizzle-orm';
import type { Actor } from '../../lib/access/actor';
import type { users } from '../schema/users';

type Row = Pick<InferSelectModel<typeof users>, 'id' | 'email' | 'name' | 'role' | 'status'>;

/** A person of the demo as the verbs take one; nobody signed in for it. */
export function actorOf({ id, email, name, role, status }: Row): Actor {
  return {
    userId: id,
    sessionId: '',
    email,
    name,
    role,
    status,
    permissions: [],
    hasRecentAuthentication: true,
    twoStepDueAt: null,
    source: 'script',
    ip: '',
    requestId: '',
  };
}
