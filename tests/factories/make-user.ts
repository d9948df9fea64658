import { eq, inArray } from 'drizzle-orm';
import { db } from '@/db/client';
import { users } from '@/db/schema/users';
import { personalAccount } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { type Permission, permissions } from '@/lib/access/permissions';
import { newId } from '@/lib/ids';

/** Users with a role of staff since the last call of `suspendStaff`. */
let staffIds: string[] = [];

/**
 * Suspends the staff made since the last call. In a shared installation, each mail to staff goes to all of them, and those of
 * finished tests would get thousands.
 */
export async function suspendStaff(): Promise<void> {
  const ids = staffIds;
  staffIds = [];
  if (ids.length > 0) await db().update(users).set({ status: 'Suspended' }).where(inArray(users.id, ids));
}

/**
 * Creates a user, as the actor of a domain function. Active by default. The password hash is invalid: a test that signs
 * in sets a valid one.
 */
export async function makeUser(
  role: 'Admin' | 'User' | 'Seller' = 'User',
  values: Partial<typeof users.$inferInsert> = {},
): Promise<Actor> {
  const id = newId();
  const email = `${id}@example.com`;
  await db()
    .insert(users)
    .values({ id, email, name: `${role} ${id.slice(-4)}`, passwordHash: 'none', status: 'Active', role, ...values });
  if (!['User', 'Seller'].includes(values.role ?? role)) staffIds.push(id);
  return actorOf(id, role === 'Admin' ? permissions : []);
}

/** The actor of an existing user. */
export async function actorOf(userId: string, granted: readonly Permission[] = []): Promise<Actor> {
  const [user] = await db().select().from(users).where(eq(users.id, userId));
  if (!user) throw new Error(`No user ${userId}`);
  return {
    ...personalAccount(user.id),
    memberOf: [user.id],
    userId: user.id,
    sessionId: newId(),
    email: user.email,
    name: user.name,
    role: user.role,
    status: user.status,
    permissions: granted,
    hasRecentAuthentication: true,
    twoStepDueAt: null,
    source: 'web',
    ip: '127.0.0.1',
    requestId: newId(),
  };
}
