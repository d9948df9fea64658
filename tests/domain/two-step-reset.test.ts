import { and, eq, isNull } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { approvals } from '@/db/schema/approvals';
import { auditLogs } from '@/db/schema/audit';
import { mails } from '@/db/schema/mails';
import { passkeyChallenges, passkeys } from '@/db/schema/passkeys';
import { recoveryCodes, sessions, users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { permissions } from '@/lib/access/permissions';
import { approve, reject } from '@/lib/approvals/decide';
import { listApprovals } from '@/lib/approvals/queries';
import { newId } from '@/lib/ids';
import { isTwoStepResetPending, requestTwoStepReset } from '@/lib/users/reset-two-step';
import { approvalExecutors } from '@/lib/workflows/approval-executors';
import { makeAccount } from '@/tests/factories/make-account';
import { makeStaff } from '@/tests/factories/make-staff';
import { bearerOf } from '@/tests/setup/bearer-of';

let first: Actor;
let second: Actor;
let person: Actor;

beforeEach(async () => {
  await db().delete(approvals);
  await db().update(users).set({ status: 'Suspended' });
  first = await makeAccount({ role: 'Admin' });
  second = await makeAccount({ role: 'Admin' });
  person = await makeAccount({ role: 'Admin', totpEnabledAt: new Date(), totpSecret: 'none', totpLastStep: 1 });
  const id = newId();
  const key = { publicKey: 'none', counter: 0, transports: [], isBackedUp: false, name: 'Key' };
  await db()
    .insert(passkeys)
    .values({ id, userId: person.userId, credentialId: id, ...key });
  await db()
    .insert(passkeyChallenges)
    .values({ id, purpose: 'enroll', userId: person.userId, expiresAt: new Date(Date.now() + 60_000) });
  await db().insert(recoveryCodes).values({ userId: person.userId, codeHash: id });
  await bearerOf(person.userId);
});

const running = (userId: string) =>
  db()
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt)));
const mailsTo = async (to: string) =>
  (await db().select().from(mails).where(eq(mails.recipient, to))).map(({ subject }) => subject);
const confirm = (actor: Actor, id: string) => approve(actor, id, approvalExecutors);
const forbidden = { code: 'forbidden' };
const conflict = { code: 'conflict' };

async function expectKept() {
  const [row] = await db().select().from(users).where(eq(users.id, person.userId));
  expect(row?.totpEnabledAt).not.toBeNull();
  expect(await db().select().from(passkeys).where(eq(passkeys.userId, person.userId))).toHaveLength(1);
  expect(await running(person.userId)).toHaveLength(1);
}

describe('a lost second factor', () => {
  it('is removed with sessions and codes after a second admin approves', async () => {
    const { id } = await requestTwoStepReset(first, person.userId);
    await expectKept();
    expect(await isTwoStepResetPending(person.userId)).toBe(true);
    expect(await mailsTo(person.email)).toEqual(['A reset of your two-step sign-in was requested']);
    expect(await mailsTo(second.email)).toEqual(['A change is waiting for your approval']);

    await confirm(second, id);
    const [row] = await db().select().from(users).where(eq(users.id, person.userId));
    expect(row).toMatchObject({ totpEnabledAt: null, totpSecret: null, totpLastStep: null, status: 'Active' });
    for (const table of [passkeys, passkeyChallenges, recoveryCodes])
      expect(await db().select().from(table).where(eq(table.userId, person.userId))).toEqual([]);
    expect(await running(person.userId)).toEqual([]);
    expect(await mailsTo(person.email)).toContain('Your two-step sign-in was reset');
    for (const admin of [first, second])
      expect(await mailsTo(admin.email)).toContain('The two-step sign-in of a user was reset');
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, person.userId));
    expect(lines).toMatchObject([{ action: 'user.two_step_reset', userId: second.userId }]);
    expect(await isTwoStepResetPending(person.userId)).toBe(false);
  });

  it('is approved neither by the requester nor by the user concerned', async () => {
    const { id } = await requestTwoStepReset(first, person.userId);
    await expect(confirm(first, id)).rejects.toMatchObject(forbidden);
    await expect(confirm(person, id)).rejects.toMatchObject(forbidden);
    await expect(requestTwoStepReset(person, person.userId)).rejects.toMatchObject(forbidden);
    await expectKept();
  });

  it('is reset by admins only, not by staff with every permission', async () => {
    const staff = await makeStaff(...permissions);
    await expect(requestTwoStepReset(staff, person.userId)).rejects.toMatchObject(forbidden);
    const { id } = await requestTwoStepReset(first, person.userId);
    await expect(confirm(staff, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(reject(staff, id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await listApprovals(staff)).map((row) => row.id)).not.toContain(id);
    await expectKept();
  });

  it('is not approved by or for an admin who was demoted meanwhile', async () => {
    const { id } = await requestTwoStepReset(first, person.userId);
    await db().update(users).set({ role: 'User' }).where(eq(users.id, second.userId));
    await expect(confirm(second, id)).rejects.toMatchObject(forbidden);
    await db().update(users).set({ role: 'Admin' }).where(eq(users.id, second.userId));
    await db().update(users).set({ role: 'User' }).where(eq(users.id, first.userId));
    await expect(confirm(second, id)).rejects.toMatchObject(conflict);
    await expectKept();
  });

  it('is reset once for two concurrent approvals', async () => {
    const third = await makeAccount({ role: 'Admin' });
    const { id } = await requestTwoStepReset(first, person.userId);
    const done = await Promise.allSettled([confirm(second, id), confirm(third, id)]);
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, person.userId));
    expect(lines).toHaveLength(1);
  });

  it('is requested once by two concurrent admins, and mailed once', async () => {
    const outcomes = await Promise.all([first, second].map((actor) => requestTwoStepReset(actor, person.userId)));
    expect(new Set(outcomes.map(({ id }) => id)).size).toBe(1);
    expect(await mailsTo(person.email)).toHaveLength(1);
  });

  it('is kept after a week, and without a second admin', async () => {
    const { id } = await requestTwoStepReset(first, person.userId);
    await db()
      .update(approvals)
      .set({ requestedAt: new Date(Date.now() - 8 * 86_400_000) })
      .where(eq(approvals.id, id));
    await expect(confirm(second, id)).rejects.toMatchObject(conflict);
    expect(await isTwoStepResetPending(person.userId)).toBe(false);
    await expectKept();
    await db().update(users).set({ status: 'Suspended' }).where(eq(users.id, second.userId));
    await expect(requestTwoStepReset(first, person.userId)).rejects.toMatchObject(conflict);
    const buyer = await makeAccount();
    await expect(requestTwoStepReset(first, buyer.userId)).rejects.toMatchObject(conflict);
  });
});
