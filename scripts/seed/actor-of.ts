import type { InferSelectModel } from 'drizzle-orm';
import type { users } from '@/db/schema/users';
import { personalAccount } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';

type Row = Pick<InferSelectModel<typeof users>, 'id' | 'email' | 'name' | 'role' | 'status'>;

/** Returns a user of the demo as an actor without a session. */
export function actorOf({ id, email, name, role, status }: Row): Actor {
  return {
    ...personalAccount(id),
    memberOf: [id],
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
