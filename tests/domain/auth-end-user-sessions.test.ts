import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { sessions } from '@/db/schema/users';
import { endUserSessions } from '@/lib/auth/revoke-access';
import { listSessions } from '@/lib/auth/security-overview';
import { newId } from '@/lib/ids';
import { makeUser } from '@/tests/factories/make-user';
import { settle } from '@/tests/setup/settle';

const openSession = (userId: string) =>
  db()
    .insert(sessions)
    .values({ id: newId(), userId, expiresAt: new Date(Date.now() + 60_000) });

it('ends every session of one account, and writes an audit line', async () => {
  const [admin, lost, other] = [await makeUser('Admin'), await makeUser(), await makeUser()];
  await Promise.all([openSession(lost.userId), openSession(lost.userId), openSession(other.userId)]);
  expect(await endUserSessions(admin, lost.email.toUpperCase())).toEqual({ email: lost.email, ended: 2 });
  expect(await listSessions(lost.userId)).toEqual([]);
  expect(await listSessions(other.userId)).toHaveLength(1);
  const [line] = await db().select().from(auditLogs).where(eq(auditLogs.userId, admin.userId));
  expect(line).toMatchObject({ action: 'session.ended', entityId: lost.userId });
});

it('reports an unknown email, and prevents staff from signing out an admin', async () => {
  const admin = await makeUser('Admin');
  const staff = { ...(await makeUser()), permissions: ['AdminDashboard', 'ManageUsers'] as const };
  const { codes } = await settle([endUserSessions(admin, 'unknown@example.com'), endUserSessions(staff, admin.email)]);
  expect(codes).toEqual(['not_found', 'forbidden']);
});
