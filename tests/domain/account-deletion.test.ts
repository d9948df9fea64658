import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import type { AccountRole } from '@/db/enums';
import { accountInvitations, accountMembers, accounts } from '@/db/schema/accounts';
import { apiTokens } from '@/db/schema/api-tokens';
import { auditLogs } from '@/db/schema/audit';
import { orderRequests } from '@/db/schema/order-requests';
import { orders } from '@/db/schema/orders';
import { topups } from '@/db/schema/topups';
import { users } from '@/db/schema/users';
import { webhookEndpoints } from '@/db/schema/webhook-endpoints';
import type { Actor } from '@/lib/access/actor';
import { createAccount } from '@/lib/accounts/create';
import { deleteAccount } from '@/lib/accounts/delete';
import { inviteMember } from '@/lib/accounts/invite';
import { joinAccount } from '@/lib/accounts/join';
import { listAccounts } from '@/lib/accounts/queries';
import { removeMember } from '@/lib/accounts/remove-member';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { updateUser } from '@/lib/users/users';
import { deleteUser } from '@/lib/workflows/delete-user';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeTransferRequest } from '@/tests/factories/make-bank-transfer';
import { makeProject } from '@/tests/factories/make-project';
import { joinTeam, makeTeam } from '@/tests/factories/make-team';
import { makeToken } from '@/tests/factories/make-token';
import { makeTopup } from '@/tests/factories/make-topup';
import { makeUser } from '@/tests/factories/make-user';
import { makeWebhookEndpoint } from '@/tests/factories/make-webhook-endpoint';
import { spendMoney } from '@/tests/factories/spend-money';
import { outboxOf } from '@/tests/setup/outbox';

/** The only owner of a new account. */
async function makeOwner(): Promise<Actor> {
  const { accountId, accountName, members } = await makeTeam();
  const { owner } = members;
  for (const role of ['manager', 'buyer', 'finance', 'client'] as const)
    await removeMember(owner, { accountId, userId: members[role].userId });
  return { ...owner, accountId, accountName };
}

const member = async (team: Actor, role: AccountRole) => joinTeam(await makeUser(), team, role);

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => 'deleted',
    (thrown: unknown) => (thrown instanceof AppError ? `${thrown.code}: ${thrown.message}` : thrown),
  );

/** What keeps an account, and what ends it. */
const money: Record<string, { begin: (actor: Actor) => Promise<unknown>; end: (actor: Actor) => Promise<unknown> }> = {
  'its wallet has $5.00': {
    begin: ({ accountId }) => fundWallet(accountId, 500),
    end: async (actor) =>
      db()
        .update(orders)
        .set({ status: 'Completed' })
        .where(eq(orders.id, await spendMoney(actor, 500))),
  },
  'orders that are not finished': {
    begin: async (actor) => {
      await fundWallet(actor.accountId, 700);
      await spendMoney(actor, 700);
    },
    end: ({ accountId }) => db().update(orders).set({ status: 'Live' }).where(eq(orders.accountId, accountId)),
  },
  'a top-up is not finished': {
    begin: ({ accountId }) => makeTopup({ userId: accountId }),
    end: ({ accountId }) => db().update(topups).set({ status: 'expired' }).where(eq(topups.accountId, accountId)),
  },
};

describe('the deletion of an account', () => {
  it.each(Object.entries(money))('waits while %s', async (reason, { begin, end }) => {
    const owner = await makeOwner();
    await begin(owner);
    expect(await errorOf(deleteAccount(owner, owner.accountId))).toMatch(
      new RegExp(`^conflict: .*${reason.replace('$', '\\$')}`),
    );
    await end(owner);
    expect(await errorOf(deleteAccount(owner, owner.accountId))).toBe('deleted');
  });

  it('waits while a bank transfer is expected', async () => {
    const owner = await makeOwner();
    await makeTransferRequest({ userId: owner.accountId });
    expect(await errorOf(deleteAccount(owner, owner.accountId))).toMatch(/^conflict: .*top-up/);
  });

  it('is for owners of teams', async () => {
    const owner = await makeOwner();
    for (const role of ['manager', 'buyer', 'finance', 'client'] as const) {
      expect(await errorOf(deleteAccount(await member(owner, role), owner.accountId))).toMatch(/^forbidden/);
    }
    expect(await errorOf(deleteAccount(await makeUser(), owner.accountId))).toMatch(/^not_found/);
    expect(await errorOf(deleteAccount(owner, owner.userId))).toMatch(/^conflict: A personal account/);
  });

  it('ends memberships, invitations, tokens, webhooks and open requests, and keeps orders', async () => {
    const owner = await makeOwner();
    const { accountId } = owner;
    const buyer = await member(owner, 'buyer');
    await fundWallet(accountId, 900);
    const orderId = await spendMoney(buyer, 900);
    await db().update(orders).set({ status: 'Completed' }).where(eq(orders.id, orderId));
    const projectId = await makeProject(owner, { accountId });
    const requestId = newId();
    await db()
      .insert(orderRequests)
      .values({
        ...{ id: requestId, accountId, projectId, requestedBy: buyer.userId, body: {}, totalCents: 1, reasons: [] },
        expiresAt: new Date(Date.now() + 3_600_000),
      });
    const token = await makeToken(buyer.userId, ['read'], { accountId });
    await makeWebhookEndpoint(
      { ...owner, userId: accountId },
      { url: 'https://hooks.example.com/team', events: ['order.created'] },
    );
    await inviteMember(owner, accountId, {
      ...{ email: `${newId()}@example.com`, role: 'buyer', projectIds: 'all', monthlyLimitCents: null },
    });

    await deleteAccount(owner, accountId);

    const [account] = await db().select().from(accounts).where(eq(accounts.id, accountId));
    expect(account?.deletedAt).not.toBeNull();
    for (const table of [accountMembers, accountInvitations]) {
      expect(await db().select().from(table).where(eq(table.accountId, accountId))).toEqual([]);
    }
    const [revoked] = await db().select().from(apiTokens).where(eq(apiTokens.id, token.id));
    expect(revoked?.revokedAt).not.toBeNull();
    const endpoints = await db().select().from(webhookEndpoints).where(eq(webhookEndpoints.ownerId, accountId));
    expect(endpoints.map(({ isEnabled }) => isEnabled)).toEqual([false]);
    const [request] = await db().select().from(orderRequests).where(eq(orderRequests.id, requestId));
    expect(request?.expiresAt.getTime()).toBeLessThanOrEqual(Date.now());
    const [order] = await db().select().from(orders).where(eq(orders.id, orderId));
    expect(order).toMatchObject({ accountId, orderedBy: buyer.userId, deletedAt: null });
    expect((await listAccounts(owner)).map(({ id }) => id)).toEqual([owner.userId]);
  });
});

describe('the deletion of a person', () => {
  it.each(Object.entries(money))('waits while of the personal account %s', async (reason, { begin, end }) => {
    const [admin, person] = [await makeUser('Admin'), await makeUser()];
    await begin(person);
    expect(await errorOf(deleteUser(admin, person.userId))).toMatch(
      new RegExp(`^conflict: .*${reason.replace('$', '\\$')}`),
    );
    await end(person);
    expect(await errorOf(deleteUser(admin, person.userId))).toBe('deleted');
  });

  it('waits for another owner of a team with members, and keeps the orders of the team', async () => {
    const admin = await makeUser('Admin');
    const owner = await makeOwner();
    const { accountId } = owner;
    const buyer = await member(owner, 'buyer');
    await fundWallet(accountId, 900);
    const orderId = await spendMoney(buyer, 900);
    const suspended = await member(owner, 'owner');
    await db().update(users).set({ status: 'Suspended' }).where(eq(users.id, suspended.userId));
    expect(await errorOf(deleteUser(admin, owner.userId))).toMatch(/^conflict: .*last owner/);
    // A running order of the team is no order of its member.
    expect(await errorOf(deleteUser(admin, buyer.userId))).toBe('deleted');
    const [order] = await db().select().from(orders).where(eq(orders.id, orderId));
    expect(order).toMatchObject({ accountId, orderedBy: buyer.userId, status: 'Pending', deletedAt: null });
    const second = await member(owner, 'owner');
    expect(await errorOf(deleteUser(admin, owner.userId))).toBe('deleted');
    const left = await db().select().from(accountMembers).where(eq(accountMembers.accountId, accountId));
    expect(left.map(({ userId }) => userId).sort()).toEqual([second.userId, suspended.userId].sort());
    const [account] = await db().select().from(accounts).where(eq(accounts.id, accountId));
    expect(account).toMatchObject({ email: second.email, deletedAt: null });
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, accountId));
    expect(lines.filter(({ action }) => action === 'member.removed').map(({ before }) => before)).toContainEqual({
      email: owner.email,
    });
  });

  it('closes teams without other members and money, and the access of others to the personal account', async () => {
    const admin = await makeUser('Admin');
    const owner = await makeOwner();
    const person = { ...owner, accountId: owner.userId };
    const guest = await joinTeam(await makeUser(), { accountId: owner.userId, accountName: '' }, 'owner');
    await fundWallet(owner.accountId, 100);
    expect(await errorOf(deleteUser(admin, person.userId))).toMatch(/only member.*\$1\.00/);
    await db()
      .update(orders)
      .set({ status: 'Live' })
      .where(eq(orders.id, await spendMoney(owner, 100)));
    expect(await errorOf(deleteUser(admin, person.userId))).toBe('deleted');
    const [team] = await db().select().from(accounts).where(eq(accounts.id, owner.accountId));
    expect(team?.deletedAt).not.toBeNull();
    expect((await listAccounts(guest)).map(({ id }) => id)).toEqual([guest.userId]);
  });

  it('ends the own invitations, and what the person would join or create meanwhile', async () => {
    const [admin, owner, person] = [await makeUser('Admin'), await makeOwner(), await makeUser()];
    await inviteMember(owner, owner.accountId, {
      ...{ email: person.email, role: 'buyer', projectIds: 'all', monthlyLimitCents: null },
    });
    const [mail] = await outboxOf(person.email);
    const token = /invitations\/([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
    const manager = await member(owner, 'manager');
    await inviteMember(manager, owner.accountId, {
      ...{ email: `${newId()}@example.com`, role: 'buyer', projectIds: 'all', monthlyLimitCents: null },
    });
    for (const { userId } of [person, manager]) expect(await errorOf(deleteUser(admin, userId))).toBe('deleted');
    const sent = await db().select().from(accountInvitations).where(eq(accountInvitations.accountId, owner.accountId));
    expect(sent.map(({ invitedBy }) => invitedBy)).toEqual([owner.userId]);
    expect(await errorOf(joinAccount(person, token))).toMatch(/^not_found/);
    expect(await errorOf(createAccount(person, { name: 'Late' }))).toMatch(/^not_found/);
  });

  it('does not wait for the person of another personal account, who stays its owner while suspended', async () => {
    const [admin, person] = [await makeUser('Admin'), await makeUser()];
    const [helper, other] = [await member(person, 'owner'), await makeUser()];
    const { id } = await makeToken(other.userId, ['read'], { accountId: person.userId });
    await updateUser(admin, person.userId, { status: 'Suspended' });
    const [token] = await db().select().from(apiTokens).where(eq(apiTokens.id, id));
    expect(token?.revokedAt).not.toBeNull();
    expect(await errorOf(deleteUser(admin, helper.userId))).toBe('deleted');
    const left = await db().select().from(accountMembers).where(eq(accountMembers.accountId, person.userId));
    expect(left.map(({ userId }) => userId)).toEqual([person.userId]);
  });
});
