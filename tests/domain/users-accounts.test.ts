import { and, eq, isNull } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { emailTokens } from '@/db/schema/email-tokens';
import { sites } from '@/db/schema/sites';
import { sessions, users } from '@/db/schema/users';
import { type Actor, systemActor } from '@/lib/access/actor';
import { createEmailToken } from '@/lib/auth/email-token';
import { verifyPassword } from '@/lib/auth/password';
import { register } from '@/lib/auth/register';
import { requestReset, resetPassword } from '@/lib/auth/reset-password';
import { listSessions } from '@/lib/auth/security-overview';
import { newId } from '@/lib/ids';
import { createFeatureRole, updateFeatureRole } from '@/lib/roles/feature-roles/feature-roles';
import { confirmEmailChange } from '@/lib/users/confirm-email-change';
import { createUserBody, profileInput } from '@/lib/users/contract';
import { findPerson, listPeople } from '@/lib/users/queries';
import { saveProfile } from '@/lib/users/save-profile';
import { assignRole, createUser, updateUser } from '@/lib/users/users';
import { deleteUser } from '@/lib/workflows/delete-user';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { outboxOf } from '@/tests/setup/outbox';
import { settle } from '@/tests/setup/settle';

const caller = systemActor('Test', 'web');
const newPassword = 'another good password';

const openSession = async ({ userId, sessionId }: Actor, id = newId()) => {
  const expiresAt = new Date(Date.now() + 3_600_000);
  await db()
    .insert(sessions)
    .values([
      { id: sessionId, userId, expiresAt },
      { id, userId, expiresAt },
    ]);
};
const openLinks = ({ userId }: Pick<Actor, 'userId'>) =>
  db()
    .select({ purpose: emailTokens.purpose })
    .from(emailTokens)
    .where(and(eq(emailTokens.userId, userId), isNull(emailTokens.usedAt)));
const tokenTo = async (email: string) => /token=([\w-]+)/.exec((await outboxOf(email)).at(-1)?.text ?? '')?.[1] ?? '';
const rowOf = async ({ userId }: Pick<Actor, 'userId'>) => {
  const [row] = await db().select().from(users).where(eq(users.id, userId));
  if (!row) throw new Error('No such person');
  return row;
};

describe('a change by staff', () => {
  const changes: [what: string, change: (admin: Actor, id: string) => Promise<unknown>][] = [
    ['another status', (admin, id) => updateUser(admin, id, { status: 'Suspended' })],
    ['another role', (admin, id) => assignRole(admin, id, 'Seller')],
    ['another address', (admin, id) => updateUser(admin, id, { email: `${newId()}@example.com` })],
    ['another password', (admin, id) => updateUser(admin, id, { password: newPassword })],
    ['deletion', (admin, id) => deleteUser(admin, id)],
  ];

  it.each(changes)("%s ends the user's sessions and invalidates mailed links", async (_, change) => {
    const [admin, person] = [await makeUser('Admin'), await makeAccount()];
    await openSession(person);
    const reset = await createEmailToken(db(), person.userId, 'reset-password');
    await createEmailToken(db(), person.userId, 'change-email', `${newId()}@example.com`);
    await change(admin, person.userId);
    expect(await listSessions(person.userId)).toEqual([]);
    expect(await openLinks(person)).toEqual([]);
    await expect(resetPassword(caller, reset, newPassword)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('restores no old session when the account is Active again', async () => {
    const [admin, person] = [await makeUser('Admin'), await makeAccount()];
    await openSession(person);
    await updateUser(admin, person.userId, { status: 'Suspended' });
    await updateUser(admin, person.userId, { status: 'Active' });
    expect(await listSessions(person.userId)).toEqual([]);
  });

  it('without an effect ends no session, and neither does a new name', async () => {
    const [admin, person] = [await makeUser('Admin'), await makeAccount()];
    await openSession(person);
    await assignRole(admin, person.userId, 'User');
    await updateUser(admin, person.userId, { email: person.email, status: 'Active', role: 'user' });
    expect((await rowOf(person)).version).toBe(1);
    await updateUser(admin, person.userId, { name: 'Renamed' });
    expect(await listSessions(person.userId)).toHaveLength(2);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.userId, admin.userId));
    expect(lines.map(({ action, before, after }) => [action, before, after])).toEqual([
      ['user.updated', { name: person.name }, { name: 'Renamed' }],
    ]);
  });

  it('rejects a stale edit, which loses nothing', async () => {
    const [admin, person] = [await makeUser('Admin'), await makeAccount()];
    const edits = ['One', 'Two', 'Three'].map((name) => updateUser(admin, person.userId, { name, version: 1 }));
    const { values, codes } = await settle(edits);
    expect([values.length, codes]).toEqual([1, ['conflict', 'conflict']]);
    expect((await rowOf(person)).name).toBe(values[0]?.name);
  });

  it('notifies the old address of a new one, and mails a Pending user the link', async () => {
    const [admin, person] = [await makeUser('Admin'), await makeAccount()];
    const email = `${newId()}@example.com`;
    await updateUser(admin, person.userId, { email, status: 'Pending' });
    expect((await outboxOf(person.email)).map(({ kind }) => kind)).toEqual(['email-change-notice']);
    expect((await outboxOf(email)).map(({ kind }) => kind)).toEqual(['verify-email']);
  });
});

describe('an account added by staff', () => {
  const body = (values: object) =>
    createUserBody.parse({ name: 'New', email: `${newId()}@example.com`, password: newPassword, ...values });

  it('is Active at once or waits for its mail, with the chosen password', async () => {
    const admin = await makeUser('Admin');
    const active = await createUser(admin, body({ role: 'seller' }));
    expect(active).toMatchObject({ role: 'Seller', status: 'Active' });
    expect(await verifyPassword((await rowOf({ userId: active.id })).passwordHash, newPassword)).toBe(true);
    const pending = await createUser(admin, body({ status: 'Pending' }));
    expect((await outboxOf(pending.email)).map(({ kind }) => kind)).toEqual(['verify-email']);
  });

  it('is unique by email in any case, also against concurrent registrations', async () => {
    const admin = await makeUser('Admin');
    const email = `${newId()}@example.com`;
    const adding = [email, email.toUpperCase(), email].map((each) => createUser(admin, body({ email: each })));
    const { values, codes } = await settle<unknown>([
      ...adding,
      register(caller, 'User', { name: '', email, password: newPassword }).then(() => null),
    ]);
    expect(values.length + codes.length).toBe(4);
    expect(codes.every((code) => code === 'conflict')).toBe(true);
    const { total } = await listPeople({ q: email, limit: 10 });
    expect(total).toBe(1);
  });

  it('requires an existing role and an unused address', async () => {
    const admin = await makeUser('Admin');
    const deleted = await makeUser();
    await deleteUser(admin, deleted.userId);
    const { codes } = await settle<unknown>([
      createUser(admin, body({ role: 'No such role' })),
      createUser(admin, body({ email: deleted.email.toUpperCase() })),
      updateUser(admin, deleted.userId, { name: 'Back' }),
    ]);
    expect(codes).toEqual(['invalid_input', 'conflict', 'not_found']);
  });
});

it("unlists a deleted user's sites, and sends no password reset", async () => {
  const [admin, seller] = [await makeUser('Admin'), await makeAccount({ role: 'Seller' })];
  const siteId = await makeSite(seller.userId, 5_000);
  await deleteUser(admin, seller.userId);
  const [site] = await db().select().from(sites).where(eq(sites.id, siteId));
  expect(site?.deletedAt).not.toBeNull();
  expect(await findPerson(seller.userId)).toBeNull();
  await requestReset(seller.email);
  expect(await openLinks(seller)).toEqual([]);
});

describe('additional features', () => {
  it('apply from the next request, follow an edit, and end with the user', async () => {
    const [admin, person, other] = [await makeUser('Admin'), await makeAccount({ role: 'Seller' }), await makeUser()];
    const rights = async ({ userId }: Actor) => (await findPerson(userId))?.permissions;
    const record = await createFeatureRole(admin, {
      name: 'Editor',
      userId: person.userId,
      features: ['Guest Post Approvals', 'Manage Blog'],
    });
    expect(await rights(person)).toEqual(['AdminDashboard', 'ManageSites']);
    expect(await findPerson(person.userId)).toMatchObject({ role: 'Seller' });
    await updateFeatureRole(admin, record.id, { userId: other.userId, features: ['Analytics Dashboard'], version: 1 });
    expect([await rights(person), await rights(other)]).toEqual([[], ['AdminDashboard']]);
    const { codes } = await settle<unknown>([
      updateFeatureRole(admin, record.id, { name: 'Stale', version: 1 }),
      createFeatureRole(admin, { name: 'EDITOR', userId: other.userId, features: [] }),
      createFeatureRole(admin, { name: 'Editor', userId: newId(), features: [] }),
    ]);
    expect(codes).toEqual(['conflict', 'conflict', 'invalid_input']);
    await deleteUser(admin, other.userId);
    await expect(updateFeatureRole(admin, record.id, { name: 'Gone' })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe("the user's own profile", () => {
  const signedIn = async () => {
    const actor = await makeAccount({ role: 'Admin' });
    await openSession(actor);
    return actor;
  };
  const saved = (actor: Actor, values: object) =>
    saveProfile(actor, profileInput.parse({ name: actor.name, email: actor.email, ...values }));

  it('requires the current password for a new password or address, not for a name', async () => {
    const actor = await signedIn();
    expect(await saved(actor, { name: 'A new name' })).toEqual({ confirmEmail: null });
    const { codes } = await settle<unknown>([
      saved(actor, { email: `${newId()}@example.com` }),
      saved(actor, { email: `${newId()}@example.com`, current: 'wrong' }),
      saved(actor, { password: newPassword, confirm: newPassword }),
    ]);
    expect(codes).toEqual(['invalid_input', 'invalid_input', 'invalid_input']);
    expect(await rowOf(actor)).toMatchObject({ name: 'A new name', email: actor.email });
    await saved(actor, { name: 'A new name', password: newPassword, confirm: newPassword, current: testPassword });
    expect(await verifyPassword((await rowOf(actor)).passwordHash, newPassword)).toBe(true);
    expect((await listSessions(actor.userId)).map(({ id }) => id)).toEqual([actor.sessionId]);
  });

  it('changes the address after its confirmation, notifies the old one, and expires its links', async () => {
    const actor = await signedIn();
    const email = `${newId()}@example.com`;
    expect(await saved(actor, { email, current: testPassword })).toEqual({ confirmEmail: email });
    expect((await rowOf(actor)).email).toBe(actor.email);
    const token = await tokenTo(email);
    await createEmailToken(db(), actor.userId, 'reset-password');
    const { values, codes } = await settle(Array.from({ length: 6 }, () => confirmEmailChange(caller, token)));
    expect([values, codes]).toEqual([[email], Array(5).fill('invalid_input')]);
    expect((await rowOf(actor)).email).toBe(email);
    expect(await openLinks(actor)).toEqual([]);
    expect(await listSessions(actor.userId)).toEqual([]);
    expect((await outboxOf(actor.email)).map(({ subject }) => subject)).toEqual([
      'Your email address is about to change',
      'Your email address was changed',
    ]);
  });

  it('keeps the session that confirms a new address and ends the others', async () => {
    const actor = await signedIn();
    const other = newId();
    await db()
      .insert(sessions)
      .values({ id: other, userId: actor.userId, expiresAt: new Date(Date.now() + 3_600_000) });
    const email = `${newId()}@example.com`;
    await saved(actor, { email, current: testPassword });
    await confirmEmailChange(caller, await tokenTo(email), actor.sessionId);
    expect((await listSessions(actor.userId)).map(({ id }) => id)).toEqual([actor.sessionId]);
  });

  it('drops a pending change after a new password, a reset or another address', async () => {
    const actor = await signedIn();
    const first = `${newId()}@example.com`;
    await saved(actor, { email: first, current: testPassword });
    const second = `${newId()}@example.com`;
    await saved(actor, { email: second, current: testPassword });
    await expect(confirmEmailChange(caller, await tokenTo(first))).rejects.toMatchObject({ code: 'invalid_input' });
    const reset = await createEmailToken(db(), actor.userId, 'reset-password');
    await resetPassword(caller, reset, newPassword);
    await expect(confirmEmailChange(caller, await tokenTo(second))).rejects.toMatchObject({ code: 'invalid_input' });
    expect((await rowOf(actor)).email).toBe(actor.email);
  });

  it('rejects an address that another user took meanwhile', async () => {
    const actor = await signedIn();
    const email = `${newId()}@example.com`;
    await saved(actor, { email, current: testPassword });
    await makeUser('User', { email: email.toUpperCase() });
    await expect(confirmEmailChange(caller, await tokenTo(email))).rejects.toMatchObject({ code: 'conflict' });
    expect((await rowOf(actor)).email).toBe(actor.email);
  });
});
