import { and, eq, isNotNull, ne, notInArray, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { approvals } from '@/db/schema/approvals';
import { auditLogs } from '@/db/schema/audit';
import { featureRoles } from '@/db/schema/feature-roles';
import { mails } from '@/db/schema/mails';
import { settings } from '@/db/schema/settings';
import { rolePermissions, users } from '@/db/schema/users';
import { recordController } from '@/lib/access/account-controllers';
import type { Actor } from '@/lib/access/actor';
import { findRights } from '@/lib/access/authorize';
import { type Permission, permissions } from '@/lib/access/permissions';
import { approve, reject } from '@/lib/approvals/decide';
import { getApprovalLimit, setApprovalLimit } from '@/lib/approvals/limit';
import { countDecidable, listApprovals } from '@/lib/approvals/queries';
import { approvalsPath } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { getWalletBalance } from '@/lib/ledger/balance';
import { actAsSeller } from '@/lib/orders/order/authorize';
import { declineOffer } from '@/lib/orders/placements/fulfill';
import { createRefund } from '@/lib/payments/reversals/source-refunds/create';
import { approvePayout, approvePayouts } from '@/lib/payouts/approve';
import { getPayout } from '@/lib/payouts/queries';
import { createFeatureRole, updateFeatureRole } from '@/lib/roles/feature-roles/feature-roles';
import { createRole, deleteRole, grantPermission, revokePermission } from '@/lib/roles/roles';
import { createAdmin } from '@/lib/users/first-admin';
import { requestTwoStepReset } from '@/lib/users/reset-two-step';
import { assignRole, createUser, updateUser } from '@/lib/users/users';
import { createManualTopup } from '@/lib/wallet/manual-topup';
import { approvalExecutors } from '@/lib/workflows/approval-executors';
import { makePayout } from '@/tests/factories/make-payout';
import { makePlacement } from '@/tests/factories/make-placement';
import { makePaidTopup } from '@/tests/factories/make-source-refund';
import { makeRole, makeStaff } from '@/tests/factories/make-staff';
import { actorOf, makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';

const limitCents = 1_000_000;
const money: readonly Permission[] = ['AdminDashboard', 'ManageUsers', 'ManageRoles', 'ManageWallets', 'ManagePayouts'];
const forbidden = { code: 'forbidden' };
const conflict = { code: 'conflict' };
let buyer: Actor;
let clerk: Actor;
let colleague: Actor;

beforeEach(async () => {
  await db().delete(approvals);
  await db().update(users).set({ status: 'Suspended' });
  await db().delete(settings);
  buyer = await makeUser();
  clerk = await makeStaff(...money);
  colleague = await makeStaff('ManageWallets', 'ManagePayouts');
});
keepSoundBooks();

/** Lets the time pass after which rights count. */
async function settleRights(hours = 73): Promise<void> {
  const earlier = sql`now() - make_interval(hours => ${hours})`;
  await db().update(users).set({ rightsSince: earlier }).where(isNotNull(users.rightsSince));
  await db().update(rolePermissions).set({ grantedAt: earlier }).where(isNotNull(rolePermissions.grantedAt));
  await db().update(featureRoles).set({ grantedAt: earlier }).where(isNotNull(featureRoles.grantedAt));
}

/** Adds an account as `createUser` does, without the time of a password. */
async function create(by: Actor, role = by.role): Promise<Actor> {
  const { userId } = await makeUser('User', { role, rightsSince: new Date() });
  await recordController(db(), by, userId);
  return reload(userId);
}

/** Reads a user as the session does. */
async function reload(userId: string): Promise<Actor> {
  const rights = await findRights(db(), userId);
  return actorOf(userId, rights?.role === 'Admin' ? permissions : (rights?.permissions ?? []));
}

async function createByForm(by: Actor, role = by.role): Promise<Actor> {
  const email = `${newId()}@example.com`;
  const input = { name: 'Puppet', email, status: 'Active' as const, role, password: 'a long unusual password' };
  return reload((await createUser(by, input)).id);
}

const credit = (by: Actor, amountCents: number, to = buyer) =>
  createManualTopup(by, { userId: to.userId, amountCents, note: '', currency: 'USD' });
const requestCredit = async (by: Actor, amountCents = limitCents + 1) => (await credit(by, amountCents)).transferId;
const confirm = (by: Actor, id: string) => approve(by, id, approvalExecutors);
const mailsTo = ({ email }: Actor) => db().$count(mails, and(eq(mails.recipient, email), eq(mails.kind, 'approval')));

async function expectNoDecision(by: Actor, id: string) {
  await expect(confirm(by, id)).rejects.toMatchObject(forbidden);
  expect(await countDecidable(by)).toBe(0);
  expect((await listApprovals(by)).find((row) => row.id === id)).toMatchObject({ canApprove: false });
}

/** Expects that none of the second persons can decide a request of the first. */
async function expectNoDecisions(pairs: (readonly [requester: Actor, decider: Actor])[]) {
  for (const [requester, decider] of pairs) {
    await db().delete(approvals);
    await expectNoDecision(decider, await requestCredit(requester));
  }
}

describe('accounts that one person made', () => {
  it('five of the own role credit nothing by approving the requests of their maker, at once and later', async () => {
    const accounts = await Promise.all([createByForm, create, create, create, create].map((by) => by(clerk)));
    const id = await requestCredit(clerk, 5_000_000);
    for (const account of accounts) await expectNoDecision(account, id);
    await settleRights();
    for (const account of accounts) {
      await expectNoDecision(account, id);
      expect(await mailsTo(account)).toBe(0);
    }
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    expect(await countDecidable(colleague)).toBe(1);
    expect(await mailsTo(colleague)).toBe(1);
    await confirm(colleague, id);
    expect(await getWalletBalance(buyer.userId)).toBe(5_000_000);
  });

  it('are named in the error when no other person could decide', async () => {
    await create(clerk);
    await settleRights();
    await db().update(users).set({ status: 'Suspended' }).where(eq(users.id, colleague.userId));
    await expect(credit(clerk, limitCents + 1)).rejects.toThrow(/independent of you.*npm run admin:create/);
    expect(await db().$count(approvals)).toBe(0);
    const email = `${newId()}@example.com`;
    await createAdmin(email, 'a long unusual password');
    const id = await requestCredit(clerk);
    const [admin] = await db().select({ id: users.id }).from(users).where(eq(users.email, email));
    await confirm(await reload(admin?.id ?? ''), id);
    expect(await getWalletBalance(buyer.userId)).toBe(limitCents + 1);
  });

  it('neither have their requests approved by their maker, nor by one another, in any number of steps', async () => {
    const [one, other] = [await create(clerk), await create(clerk)];
    const third = await create(one);
    await settleRights();
    await expectNoDecisions([
      [one, clerk],
      [one, other],
      [clerk, third],
      [third, clerk],
      [third, other],
      [other, third],
    ]);
    const id = await requestCredit(colleague);
    await confirm(third, id);
  });

  it('of an admin decide for each other, and neither for the admin nor the admin for them', async () => {
    const admin = await makeUser('Admin');
    const [one, other] = [await create(admin, clerk.role), await create(admin, clerk.role)];
    const [ofOne, alsoOfOne] = [await create(one), await create(one)];
    await settleRights();
    await expectNoDecisions([
      [admin, other],
      [other, admin],
      [admin, ofOne],
      [ofOne, admin],
      [ofOne, one],
      [ofOne, alsoOfOne],
    ]);
    await db().delete(approvals);
    await confirm(other, await requestCredit(one));
    await confirm(other, await requestCredit(ofOne));
  });

  it('of an admin do not decide for the admin, who may withdraw the request', async () => {
    const admin = await makeUser('Admin');
    const second = await create(admin, 'Admin');
    await settleRights();
    const id = await requestCredit(admin);
    await expectNoDecision(second, id);
    await reject(admin, id);
  });

  it('stay connected after the account between them is deleted', async () => {
    const between = await create(clerk);
    const third = await create(between);
    await settleRights();
    await db().update(users).set({ deletedAt: new Date(), status: 'Suspended' }).where(eq(users.id, between.userId));
    await expectNoDecision(third, await requestCredit(clerk));
  });
});

describe('an account that another person made', () => {
  const ways: [string, (by: Actor, account: Actor) => Promise<unknown>][] = [
    ['a password', (by, { userId }) => updateUser(by, userId, { password: 'another unusual password' })],
    ['an address', (by, { userId }) => updateUser(by, userId, { email: `${newId()}@example.com` })],
    ['a role', async (by, { userId }) => assignRole(by, userId, await makeRole(money))],
    [
      'features',
      (by, { userId }) => createFeatureRole(by, { name: 'Helper', userId, features: ['Analytics Dashboard'] }),
    ],
  ];
  it.each(ways)('that was given %s by the requester does not decide, nor the requester for it', async (_, give) => {
    const account = await makeStaff('ManageWallets');
    await give(clerk, account);
    await settleRights();
    const now = await reload(account.userId);
    await expectNoDecision(now, await requestCredit(clerk));
    await db().delete(approvals);
    await expectNoDecision(clerk, await requestCredit(now));
    await confirm(colleague, (await db().select().from(approvals))[0]?.id ?? '');
  });

  it('whose second factor was reset does not decide for the one who requested the reset', async () => {
    const [first, second] = [await makeUser('Admin'), await makeUser('Admin')];
    const person = await makeUser('Admin', { totpEnabledAt: new Date(), totpSecret: 'none' });
    const { id } = await requestTwoStepReset(first, person.userId);
    await confirm(second, id);
    await expectNoDecision(person, await requestCredit(first));
    await db().delete(approvals);
    await confirm(person, await requestCredit(second));
  });

  it('does not decide about an account whose password it set', async () => {
    const decider = await makeUser('Admin');
    await updateUser(decider, buyer.userId, { password: 'another unusual password' });
    await expectNoDecision(decider, await requestCredit(clerk));
  });
});

describe('rights that a person gave', () => {
  it('decide and credit alone after 72 hours', async () => {
    const role = await makeRole(['AdminDashboard', 'ManageWallets']);
    const admin = await makeUser('Admin');
    const person = await create(admin, role);
    const id = await requestCredit(clerk);
    for (const hours of [0, 71]) {
      await settleRights(hours);
      await expectNoDecision(person, id);
      expect((await credit(person, 1)).status).toBe('Pending');
    }
    await settleRights(73);
    expect(await countDecidable(person)).toBe(1);
    await confirm(person, id);
    expect((await credit(person, 1, await makeUser())).status).toBe('Completed');
  });

  const changes: [string, (person: Actor, admin: Actor) => Promise<unknown>][] = [
    ['the role changed', async ({ userId }, by) => assignRole(by, userId, await makeRole(money))],
    [
      'the role changed back and forth',
      async ({ userId, role }, by) => {
        await assignRole(by, userId, 'User');
        await assignRole(by, userId, role);
      },
    ],
    [
      'the account became Active again',
      async ({ userId }, by) => {
        await updateUser(by, userId, { status: 'Suspended' });
        await updateUser(by, userId, { status: 'Active' });
      },
    ],
    ['the password was set', ({ userId }, by) => updateUser(by, userId, { password: 'another unusual password' })],
    ['the address was set', ({ userId }, by) => updateUser(by, userId, { email: `${newId()}@example.com` })],
    [
      'the permission was revoked and granted again',
      async ({ role }, by) => {
        await revokePermission(by, role, 'ManageWallets');
        await grantPermission(by, role, 'ManageWallets');
      },
    ],
    [
      'AdminDashboard was revoked and granted again',
      async ({ role }, by) => {
        await revokePermission(by, role, 'AdminDashboard');
        await grantPermission(by, role, 'AdminDashboard');
      },
    ],
    [
      'another role was created with the permission',
      async ({ userId }, by) => {
        const name = `Role ${newId()}`;
        await createRole(by, name);
        for (const one of money) await grantPermission(by, name, one);
        await assignRole(by, userId, name);
        await db().update(users).set({ rightsSince: null }).where(eq(users.id, userId));
      },
    ],
  ];
  it.each(changes)('wait again after %s', async (_, change) => {
    const person = await makeStaff('ManageWallets');
    expect((await credit(person, 1)).status).toBe('Completed');
    await change(person, await makeUser('Admin'));
    const now = await reload(person.userId);
    expect((await credit(now, 1)).status).toBe('Pending');
    const id = await requestCredit(clerk);
    await expectNoDecision(now, id);
    expect(await mailsTo(now)).toBe(0);
    await settleRights();
    expect((await credit(now, 2)).status).toBe('Completed');
  });

  it('of a role that was deleted and created again wait again', async () => {
    const admin = await makeUser('Admin');
    const name = `Role ${newId()}`;
    await createRole(admin, name);
    for (const one of ['AdminDashboard', 'ManageWallets'] as const) await grantPermission(admin, name, one);
    await settleRights();
    await deleteRole(admin, name);
    await createRole(admin, name);
    for (const one of ['AdminDashboard', 'ManageWallets'] as const) await grantPermission(admin, name, one);
    const person = { ...(await makeUser('User', { role: name })), permissions: money };
    expect((await credit(person, 1)).status).toBe('Pending');
  });

  it('count with an API token no earlier than in a session', async () => {
    const person = await create(await makeUser('Admin'), await makeRole(['AdminDashboard', 'ManageWallets']));
    const token = { id: newId(), name: 'Desk', scopes: ['AdminDashboard', 'ManageWallets'] };
    const byToken = { ...person, sessionId: '', source: 'token' as const, token };
    expect((await credit(byToken, 1)).status).toBe('Pending');
    await settleRights();
    expect((await credit(byToken, 1)).status).toBe('Completed');
  });

  it('are read again at the decision', async () => {
    const id = await requestCredit(clerk);
    await db().update(users).set({ role: 'User' }).where(eq(users.id, colleague.userId));
    await expect(confirm(colleague, id)).rejects.toMatchObject(forbidden);
    expect(await getWalletBalance(buyer.userId)).toBe(0);
  });

  it('by features wait from the grant, and not after a new name', async () => {
    const admin = await makeUser('Admin');
    const person = await makeUser('Seller');
    const grant = { name: 'Helper', userId: person.userId, features: ['User Settings Access' as const] };
    const { id } = await createFeatureRole(admin, grant);
    const since = async () =>
      (await db().select().from(featureRoles).where(eq(featureRoles.id, id)))[0]?.grantedAt?.getTime() ?? 0;
    await settleRights();
    const before = await since();
    await updateFeatureRole(admin, id, { name: 'Deputy' });
    expect(await since()).toBe(before);
    await updateFeatureRole(admin, id, { features: ['User Settings Access', 'Assign User Roles'] });
    expect(await since()).toBeGreaterThan(before);
  });
});

describe('the limit per beneficiary', () => {
  it('counts the credits of all staff to one wallet', async () => {
    expect((await credit(clerk, 600_000)).status).toBe('Completed');
    expect((await credit(colleague, 400_001)).status).toBe('Pending');
    expect((await credit(colleague, 400_000)).status).toBe('Completed');
    expect((await credit(await makeUser('Admin'), 1)).status).toBe('Pending');
    expect((await credit(colleague, 600_000, await makeUser())).status).toBe('Completed');
    // One person's credits to several wallets also count together.
    expect((await credit(colleague, 1, await makeUser())).status).toBe('Pending');
  });

  it('counts the credits by the accounts of one person together, also concurrent ones to several wallets', async () => {
    const between = await create(clerk);
    const accounts = [clerk, ...(await Promise.all([clerk, clerk, between].map((by) => create(by))))];
    await settleRights();
    const creditAll = (by: readonly Actor[]) =>
      Promise.all(by.map(async (one) => (await credit(one, 600_000, await makeUser())).status));
    expect((await creditAll(accounts)).sort()).toEqual(['Completed', 'Pending', 'Pending', 'Pending']);
    expect((await credit(between, 400_001, await makeUser())).status).toBe('Pending');
    expect((await credit(between, 400_000, await makeUser())).status).toBe('Completed');
    // People whom one admin added are not one person.
    const admin = await makeUser('Admin');
    const people = await Promise.all([1, 2].map(() => create(admin, clerk.role)));
    await settleRights();
    expect(await creditAll([...people, colleague])).toEqual(['Completed', 'Completed', 'Completed']);
  });

  it('does not count what the seller returned', async () => {
    const { id, seller } = await makePlacement('offered', { buyer, sellerCents: 600_000, marginCents: 0 });
    await actAsSeller(seller, id, {}, (tx, locked) => declineOffer(tx, seller, locked, { role: 'seller' }));
    expect(await getWalletBalance(buyer.userId)).toBe(600_000);
    expect((await credit(clerk, 600_000)).status).toBe('Completed');
  });

  it('counts concurrent credits one after the other', async () => {
    const staff = await Promise.all([1, 2, 3, 4].map(() => makeStaff('ManageWallets')));
    const results = await Promise.all(staff.map((one) => credit(one, 600_000)));
    expect(results.filter(({ status }) => status === 'Completed')).toHaveLength(1);
    expect(await getWalletBalance(buyer.userId)).toBe(600_000);
  });

  it('does not let two persons who credit each other block one another', async () => {
    const results = await Promise.all([credit(clerk, 100, colleague), credit(colleague, 100, clerk)]);
    expect(results.map(({ status }) => status)).toEqual(['Completed', 'Completed']);
  });

  it('counts the refunds of all staff to one payment method owner', async () => {
    const refund = async (by: Actor, amountCents: number, to = buyer) =>
      createRefund(by, { topupId: await makePaidTopup(to), amountCents, reason: 'Agreed by phone' }, null);
    await setApprovalLimit(clerk, { limit: 5_000, version: (await getApprovalLimit()).version });
    expect((await refund(clerk, 3_000)).approvalId).toBeNull();
    expect((await refund(colleague, 3_000)).approvalId).not.toBeNull();
    expect((await refund(colleague, 2_000)).approvalId).toBeNull();
    // One person's refunds to several buyers count together, through any account.
    const puppet = await create(clerk);
    await settleRights();
    expect((await refund(puppet, 2_001, await makeUser())).approvalId).not.toBeNull();
    expect((await refund(puppet, 2_000, await makeUser())).approvalId).toBeNull();
  });

  it('needs another person for the refund of a credit by an account of the same person', async () => {
    const puppet = await create(clerk);
    await settleRights();
    const topupId = await makePaidTopup(buyer);
    await spendMoney(buyer, 10_000);
    await credit(puppet, 5_000);
    const refund = (by: Actor) => createRefund(by, { topupId, amountCents: 1_000, reason: 'Agreed by phone' }, null);
    expect((await refund(clerk)).approvalId).not.toBeNull();
    expect((await refund(colleague)).approvalId).toBeNull();
  });
});

const suspendAllBut = (...actors: Actor[]) =>
  db()
    .update(users)
    .set({ status: 'Suspended' })
    .where(
      notInArray(
        users.id,
        actors.map(({ userId }) => userId),
      ),
    );

it('a founder and the clerk whom the founder added work alone below the limits', async () => {
  await db().update(users).set({ status: 'Suspended' });
  const founder = await makeUser('Admin');
  const helper = await create(founder, clerk.role);
  await settleRights();
  const client = await makeUser();
  for (const by of [founder, helper]) expect((await credit(by, 2_000, client)).status).toBe('Completed');
  const topupId = await makePaidTopup(client);
  const refund = { topupId, amountCents: 1_000, reason: 'Agreed by phone' };
  expect((await createRefund(founder, refund, null)).approvalId).toBeNull();
  await expect(createRefund(helper, refund, null)).rejects.toThrow('There is none');
  // Also sellers whom one of them added are paid, but not by the clerk who did.
  for (const [maker, payer] of [
    [founder, founder],
    [founder, helper],
    [helper, founder],
  ] as const) {
    const { payout, seller } = await makePayout('requested', { amountCents: 6_000 });
    await recordController(db(), maker, seller.userId);
    await suspendAllBut(founder, helper, seller);
    if (maker === helper) await expect(approvePayout(helper, payout.id)).rejects.toThrow('There is none');
    expect(await approvePayout(payer, payout.id)).toMatchObject({ state: 'approved' });
  }
});

describe('a payout of $1,600', () => {
  const make = async () => (await makePayout('requested', { amountCents: 160_000 })).payout.id;
  const stateOf = async (id: string, by: Actor) => (await approvePayout(by, id)).state;

  it('is not approved by two accounts of one person', async () => {
    const [one, other] = [await create(clerk), await create(clerk)];
    const id = await make();
    await expect(approvePayout(one, id)).rejects.toMatchObject(forbidden);
    await settleRights();
    expect(await stateOf(id, one)).toBe('requested');
    for (const by of [clerk, other]) {
      await expect(approvePayout(by, id)).rejects.toThrow('not independent');
      expect(await approvePayouts(by, { ids: [id] })).toMatchObject({ approved: 0, refused: [{ id }] });
    }
    expect(await stateOf(id, colleague)).toBe('approved');
  });

  it('is not approved alone with rights that have not settled, also below the limit', async () => {
    const person = await create(await makeUser('Admin'), await makeRole(['AdminDashboard', 'ManagePayouts']));
    const { payout } = await makePayout('requested', { amountCents: 6_000 });
    await expect(approvePayout(person, payout.id)).rejects.toThrow('after 72 hours');
    await settleRights();
    expect(await stateOf(payout.id, person)).toBe('approved');
  });

  it('to a seller whose password the approver set needs another person, also below the limit', async () => {
    const { payout, seller } = await makePayout('requested', { amountCents: 6_000 });
    await updateUser(clerk, seller.userId, { password: 'another unusual password' });
    expect(await stateOf(payout.id, clerk)).toBe('requested');
    await expect(approvePayout(clerk, payout.id)).rejects.toThrow('approval of a second person');
    expect(await stateOf(payout.id, colleague)).toBe('approved');
    // Nor does another account of the approver pay alone.
    const other = await makePayout('requested', { amountCents: 6_000 });
    await recordController(db(), clerk, other.seller.userId);
    const puppet = await create(clerk);
    await settleRights();
    expect(await stateOf(other.payout.id, puppet)).toBe('requested');
    await expect(approvePayout(clerk, other.payout.id)).rejects.toThrow('not independent');
    // Without another person there is none to wait for.
    const next = await makePayout('requested', { amountCents: 6_000 });
    await updateUser(clerk, next.seller.userId, { password: 'another unusual password' });
    await db().update(users).set({ status: 'Suspended' }).where(ne(users.id, clerk.userId));
    expect(await stateOf(next.payout.id, clerk)).toBe('approved');
  });

  it('to a seller whose role the approver set needs no other person, below the limit', async () => {
    const { payout, seller } = await makePayout('requested', { amountCents: 6_000 });
    for (const role of ['User', 'Seller']) await assignRole(clerk, seller.userId, role);
    expect(await stateOf(payout.id, clerk)).toBe('approved');
  });

  it('is not kept from two others by a first approval for which there is no second', async () => {
    const admin = await makeUser('Admin');
    const [one, other] = [await create(admin, clerk.role), await create(admin, clerk.role)];
    await settleRights();
    const id = await make();
    await suspendAllBut(admin, one, other);
    await expect(approvePayout(admin, id)).rejects.toThrow(/There is none.*npm run admin:create/);
    expect(await stateOf(id, one)).toBe('requested');
    await expect(approvePayout(admin, id)).rejects.toThrow('not independent');
    expect(await stateOf(id, other)).toBe('approved');
    // A sole admin approves first, and adds a second one later.
    const next = await make();
    await suspendAllBut(admin);
    expect(await stateOf(next, admin)).toBe('requested');
    expect(await stateOf(next, await makeUser('Admin'))).toBe('approved');
  });

  const losses: [string, (userId: string) => Promise<unknown>][] = [
    ['suspended', (id) => db().update(users).set({ status: 'Suspended' }).where(eq(users.id, id))],
    ['demoted', (id) => db().update(users).set({ role: 'User' }).where(eq(users.id, id))],
    ['deleted', (id) => db().update(users).set({ deletedAt: new Date() }).where(eq(users.id, id))],
    [
      'deprived of the permission',
      async (id) => revokePermission(await makeUser('Admin'), (await actorOf(id)).role, 'ManagePayouts'),
    ],
  ];
  it.each(losses)('counts the first approval of a person who was %s since no more', async (_, lose) => {
    const id = await make();
    const [first, second, third] = [colleague, clerk, await makeStaff('ManagePayouts')];
    expect(await stateOf(id, first)).toBe('requested');
    expect(await getPayout(id)).toMatchObject({ firstApproverEmail: first.email });
    await lose(first.userId);
    expect(await getPayout(id)).toMatchObject({ firstApproverEmail: null });
    expect(await approvePayout(second, id)).toMatchObject({ state: 'requested', firstApprovedBy: second.userId });
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, id)).orderBy(auditLogs.id);
    expect(lines.at(-1)?.details).toContain('no longer counts');
    await expect(approvePayout(second, id)).rejects.toMatchObject(conflict);
    expect(await approvePayout(third, id)).toMatchObject({ state: 'approved', firstApprovedBy: second.userId });
  });

  it('is not approved by a person who gained control of the first approver since', async () => {
    const id = await make();
    const admin = await makeUser('Admin');
    expect(await stateOf(id, colleague)).toBe('requested');
    await updateUser(admin, colleague.userId, { password: 'another unusual password' });
    // The rights of an account that was taken no longer count.
    expect(await approvePayout(admin, id)).toMatchObject({ state: 'requested', firstApprovedBy: admin.userId });
    await settleRights();
    await expect(approvePayout(colleague, id)).rejects.toThrow('not independent');
  });
});

describe('rights of staff while they need a second admin', () => {
  let first: Actor;
  let second: Actor;
  beforeEach(async () => {
    first = await makeUser('Admin');
    second = await makeUser('Admin');
    const { version } = await getApprovalLimit();
    expect(await setApprovalLimit(first, { limit: limitCents, approvesStaffRights: true, version })).toBeNull();
  });
  const onlyPending = async () => {
    const rows = await db().select().from(approvals).where(eq(approvals.state, 'pending'));
    expect(rows).toHaveLength(1);
    return rows[0]?.id ?? '';
  };
  const roleOf = async ({ userId }: Actor) => (await actorOf(userId)).role;

  it('are not given with a new account', async () => {
    await expect(createByForm(first, clerk.role)).rejects.toMatchObject({
      code: 'invalid_input',
      details: { fields: { role: expect.stringContaining('second admin') } },
    });
    expect(await createByForm(first, 'Seller')).toMatchObject({ role: 'Seller' });
  });

  it('are given by a role after the approval, by the requester', async () => {
    const person = await makeUser();
    for (const give of [
      () => assignRole(clerk, person.userId, clerk.role),
      () => updateUser(clerk, person.userId, { role: clerk.role }),
    ]) {
      await expect(give()).rejects.toMatchObject({
        message: expect.stringContaining('sent for approval'),
        details: { url: approvalsPath },
      });
    }
    expect(await roleOf(person)).toBe('User');
    const id = await onlyPending();
    expect((await listApprovals(clerk)).map((row) => row.id)).toEqual([id]);
    await expect(confirm(colleague, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(confirm(await makeStaff('ManageUsers'), id)).rejects.toMatchObject(forbidden);
    await confirm(second, id);
    expect(await roleOf(person)).toBe(clerk.role);
    await settleRights();
    await expectNoDecision(await reload(person.userId), await requestCredit(clerk));
  });

  it('are taken, and reduced to fewer, at once', async () => {
    const person = await makeStaff('ManageWallets', 'ManageOrders');
    const less = await makeRole(['AdminDashboard', 'ManageOrders']);
    expect(await assignRole(first, person.userId, less)).toMatchObject({ role: less });
    expect(await assignRole(first, person.userId, 'User')).toMatchObject({ role: 'User' });
    expect(await db().$count(approvals)).toBe(0);
  });

  it('are given to a role after the approval, while the requester holds them', async () => {
    const { role } = await makeStaff('ManageOrders');
    const grant = () => grantPermission(clerk, role, 'ManageWallets');
    await expect(grant()).rejects.toThrow(/missing|do not have/i);
    const has = async () =>
      (await db().select().from(rolePermissions).where(eq(rolePermissions.roleName, role))).some(
        ({ permission }) => permission === 'ManageWallets',
      );
    await expect(grantPermission(first, role, 'ManageWallets')).rejects.toThrow('sent for approval');
    expect(await has()).toBe(false);
    const id = await onlyPending();
    await expect(confirm(first, id)).rejects.toMatchObject(forbidden);
    await db().update(users).set({ role: clerk.role }).where(eq(users.id, first.userId));
    await expect(confirm(second, id)).rejects.toMatchObject(forbidden);
    await db().update(users).set({ role: 'Admin' }).where(eq(users.id, first.userId));
    await confirm(second, id);
    expect(await has()).toBe(true);
  });

  it('are given by features after the approval', async () => {
    const person = await makeUser('Seller');
    const input = { name: 'Helper', userId: person.userId, features: ['User Settings Access' as const] };
    await expect(createFeatureRole(first, input)).rejects.toThrow('sent for approval');
    expect(await db().$count(featureRoles, eq(featureRoles.userId, person.userId))).toBe(0);
    await confirm(second, await onlyPending());
    const [row] = await db().select().from(featureRoles).where(eq(featureRoles.userId, person.userId));
    const more = ['User Settings Access' as const, 'Assign User Roles' as const];
    await expect(updateFeatureRole(first, row?.id ?? '', { features: more })).rejects.toThrow('sent for approval');
    await confirm(second, await onlyPending());
    expect((await findRights(db(), person.userId))?.permissions).toEqual([
      'AdminDashboard',
      'ManageRoles',
      'ManageUsers',
    ]);
    expect(await createFeatureRole(first, { ...input, name: 'Blogger', features: ['Manage Blog'] })).toMatchObject({
      name: 'Blogger',
    });
  });

  it('are given again without approval only after a second person agreed', async () => {
    const { version } = await getApprovalLimit();
    const relax = { limit: limitCents, approvesStaffRights: false, version };
    expect(await setApprovalLimit(first, relax)).toMatchObject({ state: 'pending' });
    await confirm(second, await onlyPending());
    expect(await getApprovalLimit()).toMatchObject({ approvesStaffRights: false });
    expect(await createByForm(first, clerk.role)).toMatchObject({ role: clerk.role });
  });
});
