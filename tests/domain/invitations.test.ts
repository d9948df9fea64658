import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { emailTokens } from '@/db/schema/email-tokens';
import { sessions, users } from '@/db/schema/users';
import { systemActor } from '@/lib/access/actor';
import { verifyPassword } from '@/lib/auth/password';
import { requestReset } from '@/lib/auth/reset-password';
import { resendVerification } from '@/lib/auth/verify-email';
import { newId } from '@/lib/ids';
import { listConsents, publishLegalDocument } from '@/lib/settings/legal/documents';
import { createUserBody } from '@/lib/users/contract';
import { acceptInvitation, resendInvitation, revokeInvitation } from '@/lib/users/invitations';
import { createUser, updateUser } from '@/lib/users/users';
import { makeRole, makeStaff } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';
import { outboxOf } from '@/tests/setup/outbox';
import { inRequest } from '@/tests/setup/request-scope';
import { settle } from '@/tests/setup/settle';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

const password = 'a new and long password';

async function invite(values: { role?: string; status?: string } = {}) {
  const admin = await makeUser('Admin');
  const email = `${newId()}@example.com`;
  const { id } = await createUser(admin, createUserBody.parse({ name: 'New', email, ...values }));
  return { admin, email, id };
}

const tokenOf = async (email: string) =>
  /invitation\?token=([\w-]+)/.exec((await outboxOf(email)).at(-1)?.text ?? '')?.[1] ?? '';

const accept = (token: string, agreedTo = {}) =>
  inRequest({}, () =>
    acceptInvitation(systemActor('Invitation', 'web'), { token, password, agreedTo }, { ip: '', userAgent: '' }),
  );

const userOf = async (id: string) => (await db().select().from(users).where(eq(users.id, id)))[0];

describe('an invitation', () => {
  it('sets the password once, also for concurrent calls, and signs in', async () => {
    const role = await makeRole(['AdminDashboard', 'ManageOrders']);
    const { email, id } = await invite({ role });
    expect(await userOf(id)).toMatchObject({ status: 'Pending', emailVerifiedAt: null, invitedAt: expect.any(Date) });
    const token = await tokenOf(email);
    const { values, codes } = await settle(Array.from({ length: 4 }, () => accept(token)));
    expect([values, codes.length]).toEqual([['/dashboard'], 3]);
    const user = await userOf(id);
    expect(user).toMatchObject({ status: 'Active', emailVerifiedAt: expect.any(Date), invitedAt: null });
    expect(await verifyPassword(user?.passwordHash ?? null, password)).toBe(true);
    expect(await db().select().from(sessions).where(eq(sessions.userId, id))).toHaveLength(1);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, id));
    expect(lines.map(({ action }) => action)).toEqual(['user.created', 'user.invitation_accepted']);
  });

  it('stores no usable secret: the hash of the token, and an encrypted mail', async () => {
    const { email, id } = await invite();
    const token = await tokenOf(email);
    const stored = JSON.stringify([await db().select().from(emailTokens).where(eq(emailTokens.userId, id))]);
    const [mail] = await outboxOf(email);
    expect(token).toMatch(/^.{20,}$/);
    expect(`${stored} ${mail?.sealedBody} ${mail?.subject}`).not.toContain(token);
  });

  it('is invalid once it was sent again, revoked, expired, or the person was suspended', async () => {
    const ways: ((of: Awaited<ReturnType<typeof invite>>) => Promise<unknown>)[] = [
      ({ admin, id }) => resendInvitation(admin, id),
      ({ admin, id }) => revokeInvitation(admin, id),
      ({ id }) =>
        db()
          .update(emailTokens)
          .set({ expiresAt: new Date(0) })
          .where(eq(emailTokens.userId, id)),
      ({ admin, id }) => updateUser(admin, id, { status: 'Suspended' }),
    ];
    for (const end of ways) {
      const of = await invite();
      const token = await tokenOf(of.email);
      await end(of);
      await expect(accept(token)).rejects.toMatchObject({ code: 'invalid_input' });
      expect(await db().select().from(sessions).where(eq(sessions.userId, of.id))).toEqual([]);
    }
  });

  it('is not replaced by a reset or verification link, and can be sent after it was revoked', async () => {
    const { admin, email, id } = await invite();
    await requestReset(email);
    await resendVerification(email);
    expect((await outboxOf(email)).map(({ kind }) => kind)).toEqual(['invitation']);
    await revokeInvitation(admin, id);
    expect(await userOf(id)).toMatchObject({ status: 'Expired' });
    await resendInvitation(admin, id);
    expect(await accept(await tokenOf(email))).toBe('/user');
    await expect(resendInvitation(admin, id)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('asks customers and sellers, and no staff, to agree to the published terms', async () => {
    const role = await makeRole(['AdminDashboard', 'ManageOrders']);
    const [staff, seller] = [await invite({ role }), await invite({ role: 'Seller' })];
    await publishLegalDocument(seller.admin, { kind: 'terms', text: 'Be kind.', version: 0 });
    const token = await tokenOf(seller.email);
    await expect(accept(token)).rejects.toMatchObject({ details: { fields: { agreement: expect.any(String) } } });
    expect(await accept(token, { terms: 1 })).toBe('/seller');
    expect(await listConsents(seller.id)).toMatchObject([{ kind: 'terms', version: 1 }]);
    expect(await accept(await tokenOf(staff.email))).toBe('/dashboard');
    await publishLegalDocument(seller.admin, { kind: 'terms', text: '', version: 1 });
  });

  it('follows the rules of giving a role, and admits no other status', async () => {
    const role = await makeRole(['AdminDashboard', 'ManageWallets']);
    const staff = await makeStaff('ManageUsers');
    const input = createUserBody.parse({ name: 'New', email: `${newId()}@example.com`, role });
    await expect(createUser(staff, input)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(invite({ status: 'Suspended' })).rejects.toMatchObject({ code: 'invalid_input' });
    const { id } = await invite({ role });
    for (const verb of [resendInvitation, revokeInvitation])
      await expect(verb(staff, id)).rejects.toMatchObject({ code: 'forbidden' });
  });
});
