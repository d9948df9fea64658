import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { accountMembers } from '@/db/schema/accounts';
import { approvals } from '@/db/schema/approvals';
import { auditLogs } from '@/db/schema/audit';
import { bankLines } from '@/db/schema/bank-transfers';
import { users } from '@/db/schema/users';
import { holds, isSamePerson, recordController } from '@/lib/access/account-controllers';
import type { Actor } from '@/lib/access/actor';
import { inviteMember } from '@/lib/accounts/invite';
import { joinAccount } from '@/lib/accounts/join';
import { approve } from '@/lib/approvals/decide';
import { newId } from '@/lib/ids';
import { getWalletBalance } from '@/lib/ledger/balance';
import { decideDispute } from '@/lib/orders/disputes/decide';
import { openDispute } from '@/lib/orders/disputes/open';
import { listDisputes } from '@/lib/orders/disputes/queries';
import { findRoom } from '@/lib/orders/messages/room';
import { getRoomPage } from '@/lib/orders/messages/stream';
import { getTimeline } from '@/lib/orders/notices/timeline';
import { actAsBuyer, actAsStaff } from '@/lib/orders/order/authorize';
import { createOrder } from '@/lib/orders/order/create';
import { findOrders, listAllOrders } from '@/lib/orders/order/desk-queries';
import { exportOrders } from '@/lib/orders/order/export';
import { getOrder } from '@/lib/orders/order/queries';
import { findBuyer, listBuyers, listQueue } from '@/lib/orders/order/staff-queue';
import { updateOrder } from '@/lib/orders/order/update';
import { creditLine } from '@/lib/payments/bank-transfers/credit';
import { listBankLines } from '@/lib/payments/bank-transfers/queries';
import { sourceRefundView } from '@/lib/payments/reversals/source-refunds/contract';
import { approveRefund } from '@/lib/payments/reversals/source-refunds/create';
import { listRefunds } from '@/lib/payments/reversals/source-refunds/queries';
import { declineRefund, requestRefund } from '@/lib/payments/reversals/source-refunds/request';
import { searchPalette } from '@/lib/search/palette';
import { findAccountDetails, listMemberships } from '@/lib/users/accounts';
import { exportWalletUsers } from '@/lib/users/export';
import { findWalletUser, listWalletUsers } from '@/lib/users/wallet-users';
import { manualTopupBody } from '@/lib/wallet/admin-schemas';
import { deleteTransaction } from '@/lib/wallet/delete-transaction';
import { exportTransactions } from '@/lib/wallet/export';
import { createManualTopup } from '@/lib/wallet/manual-topup';
import { listAllTransactions } from '@/lib/wallet/queries';
import { approvalExecutors } from '@/lib/workflows/approval-executors';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makePartialTransfer } from '@/tests/factories/make-bank-transfer';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makePaidTopup } from '@/tests/factories/make-source-refund';
import { makeStaff } from '@/tests/factories/make-staff';
import { joinTeam, makeTeam } from '@/tests/factories/make-team';
import { makeUser } from '@/tests/factories/make-user';
import { outboxOf } from '@/tests/setup/outbox';

const name = 'Northwind Outreach';
const money = ['ManageWallets', 'ManageOrders'] as const;
const page = { limit: 50, offset: 0 };
const forbidden = { code: 'forbidden' };

let team: Awaited<ReturnType<typeof makeTeam>>;
let admin: Actor;
/** The ids of records of the team. */
let made: { orderId: number; disputeId: string; refundId: string; lineId: string };

/** Makes a user a member as an invitation does. */
async function join(user: Actor, role: Parameters<typeof joinTeam>[2]): Promise<Actor> {
  await recordController(db(), user, team.accountId);
  return joinTeam(user, team, role);
}

beforeAll(async () => {
  [team, admin] = [await makeTeam({ name }), await makeUser('Admin')];
  const { owner } = team.members;
  const account = { userId: team.accountId };
  const { id: orderId } = await makePlacement('delivered', { buyer: owner });
  const { id: disputeId } = await openDispute(owner, orderId, 'buyer', { reason: 'other', text: 'Another anchor.' });
  const topupId = await makePaidTopup(account);
  const { id: refundId } = await requestRefund(owner, { topupId, amountCents: 2_000, reason: '' });
  const request = await makePartialTransfer(await makeStaff('ManageWallets'), account);
  const [line] = await db().select().from(bankLines).where(eq(bankLines.requestId, request.id));
  made = { orderId, disputeId, refundId, lineId: line?.id ?? '' };
  // A person of the team is suspended; the team is not.
  await db().update(users).set({ status: 'Suspended' }).where(eq(users.id, team.members.manager.userId));
});

async function read(pieces: AsyncGenerator<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

describe('a team appears under its name in', () => {
  const ofTeam = async (found: Promise<unknown>) => JSON.stringify(await found);
  it.each<[string, () => Promise<string>]>([
    ['the wallets by name', () => ofTeam(listWalletUsers({ q: 'northwind', ...page }))],
    ['the wallets by balance', () => ofTeam(listWalletUsers(page, { key: 'balance', order: 'desc' }))],
    ['the wallets of teams', () => ofTeam(listWalletUsers({ kind: 'team', q: team.accountId, ...page }))],
    ['the wallet that a top-up opens', () => ofTeam(findWalletUser(team.accountId))],
    ['the export of the wallets', () => read(exportWalletUsers('northwind'))],
    ['the transactions', () => ofTeam(listAllTransactions({ q: '', ...page }))],
    ['the transactions that its name finds', () => ofTeam(listAllTransactions({ q: 'northwind', ...page }))],
    ['its own transactions', () => ofTeam(listAllTransactions({ q: '', userId: team.accountId, ...page }))],
    [
      'its transactions by its name',
      () => ofTeam(listAllTransactions({ q: 'northwind', userId: team.accountId, ...page })),
    ],
    ['the export of the transactions', () => read(exportTransactions({ q: 'northwind', userId: undefined }))],
    ['the refunds', () => ofTeam(listRefunds({ q: 'northwind', ...page }))],
    ['the bank transfers', () => ofTeam(listBankLines({ q: 'northwind', ...page }))],
    ['the orders', () => ofTeam(listAllOrders({ q: 'northwind', ...page }))],
    ['its own orders', () => ofTeam(listAllOrders({ userId: team.accountId, ...page }))],
    ['the orders in order of their state', () => ofTeam(listAllOrders({ q: 'northwind', sort: 'status', ...page }))],
    ['the orders that a member placed', () => ofTeam(findOrders(team.members.owner.email, 5))],
    ['the export of the orders', () => read(exportOrders({ q: 'northwind' }))],
    ['the queue', () => ofTeam(listQueue(undefined, page))],
    ['the filter by buyer', () => ofTeam(listBuyers())],
    ['the chosen buyer', () => ofTeam(findBuyer(team.accountId))],
    ['the disputes', () => ofTeam(listDisputes({ sort: 'age', ...page }))],
    ['the palette', () => ofTeam(searchPalette(admin, { q: 'northwind' }))],
    ['the accounts of a member', () => ofTeam(listMemberships(team.members.buyer.userId))],
    ['the page of the account', () => ofTeam(findAccountDetails(team.accountId))],
  ])('%s', async (_, list) => expect(await list()).toContain(name));
});

it('people are found as before where a team has the address of its owner', async () => {
  const { owner } = team.members;
  const { rows } = await listWalletUsers({ kind: 'personal', q: owner.email, ...page });
  expect(rows.map(({ id }) => id)).toEqual([owner.userId]);
  const ids = (await listAllOrders({ userId: owner.userId, ...page })).rows;
  expect(ids).toEqual([]);
});

describe('the credit of an account', () => {
  const credit = (body: object) =>
    createManualTopup(admin, manualTopupBody.parse({ amount: 5, currency: 'USD', note: 'Goodwill', ...body }));

  it('names the team, and is deleted under its name', async () => {
    const before = await getWalletBalance(team.accountId);
    const { transferId } = await credit({ accountId: team.accountId });
    expect(await getWalletBalance(team.accountId)).toBe(before + 500);
    await deleteTransaction(admin, transferId);
    const lines = await db()
      .select({ details: auditLogs.details })
      .from(auditLogs)
      .where(and(eq(auditLogs.userId, admin.userId), eq(auditLogs.entityId, team.accountId)));
    expect(lines).toHaveLength(2);
    for (const { details } of lines) expect(details).toContain(`the account “${name}” (${team.members.owner.email})`);
  });

  it('is the own one of a user by default', async () => {
    const { owner } = team.members;
    await credit({ userId: owner.userId });
    expect(await getWalletBalance(owner.userId)).toBe(500);
  });

  it.each([{}, { userId: 'a', accountId: 'b' }])('needs exactly one of both: %o', (body) => {
    expect(() => manualTopupBody.parse({ amount: 5, currency: 'USD', ...body })).toThrow();
  });

  it('by two at once is counted together against the limit', async () => {
    const [one, other] = [await makeStaff(...money), await makeStaff(...money)];
    const { accountId } = await makeTeam();
    const half = { userId: accountId, amountCents: 600_000, note: '', currency: 'USD' as const };
    const results = await Promise.all([createManualTopup(one, half), createManualTopup(other, half)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['Completed', 'Pending']);
  });

  it('counts against the limit also after who made it joined the team', async () => {
    const [one, other, { accountId }] = [await makeStaff(...money), await makeStaff(...money), await makeTeam()];
    const half = { userId: accountId, amountCents: 600_000, note: '', currency: 'USD' as const };
    expect(await createManualTopup(one, half)).toMatchObject({ status: 'Completed' });
    await recordController(db(), one, accountId);
    expect(await createManualTopup(other, half)).toMatchObject({ status: 'Pending' });
  });
});

it('the request of a member for a refund shows its reason to the members, and not to them that of staff', async () => {
  const topupId = await makePaidTopup({ userId: team.accountId });
  const refund = await requestRefund(team.members.finance, { topupId, amountCents: 1_000, reason: 'Paid twice' });
  expect(sourceRefundView(refund).reason).toBe('Paid twice');
  const ofStaff = { requestedBy: admin.userId, approvedBy: admin.userId };
  expect(sourceRefundView({ ...refund, ...ofStaff }).reason).toBe('');
});

it('a colleague in the own account of a member of staff stays another person, who approves no credit of it', async () => {
  const [host, guest] = [await makeStaff('ManageWallets'), await makeStaff('ManageWallets')];
  const everything = { projectIds: 'all', monthlyLimitCents: null } as const;
  await inviteMember(host, host.accountId, { email: guest.email, role: 'finance', ...everything });
  const [mail] = await outboxOf(guest.email);
  await joinAccount(guest, /invitations\/([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '');
  expect(await holds(db(), isSamePerson(host.userId, guest.userId))).toBe(false);
  const { transferId } = await createManualTopup(await makeStaff('ManageWallets'), {
    ...{ userId: host.userId, amountCents: 2_000_000, note: newId(), currency: 'USD' },
  });
  for (const one of [host, guest])
    await expect(approve(one, transferId, approvalExecutors)).rejects.toMatchObject(forbidden);
  await approve(await makeStaff('ManageWallets'), transferId, approvalExecutors);
});

describe.each(['is', 'was'] as const)('staff who %s a member of a team cannot', (tense) => {
  let staff: Actor;
  beforeAll(async () => {
    const user = await makeStaff(...money);
    const member = await join(user, 'client');
    // At work for the house, in the own account.
    staff = tense === 'is' ? { ...user, memberOf: member.memberOf } : user;
    if (tense === 'was')
      await db()
        .delete(accountMembers)
        .where(and(eq(accountMembers.accountId, team.accountId), eq(accountMembers.userId, user.userId)));
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'credit it',
      () => createManualTopup(staff, { userId: team.accountId, amountCents: 1, note: '', currency: 'USD' }),
    ],
    ['credit its bank transfer', () => creditLine(staff, made.lineId, { note: 'Paid' })],
    ['credit any transfer to it', () => creditLine(staff, made.lineId, { accountId: team.accountId, note: 'Paid' })],
    ['approve its refund', () => approveRefund(staff, made.refundId)],
    ['decline its refund', () => declineRefund(staff, made.refundId, { reason: 'No' })],
    ['decide its dispute', () => decideDispute(staff, made.disputeId, { buyerPercent: 100, note: 'Agreed' })],
    ['act on its order', () => actAsStaff(staff, made.orderId, {}, async () => undefined)],
    ['refund its order', () => updateOrder(staff, made.orderId, { status: 'Refunded' })],
  ])('%s', async (_, act) => await expect(act()).rejects.toMatchObject(forbidden));

  it('approve a credit that another requested', async () => {
    const { transferId } = await createManualTopup(await makeStaff('ManageWallets'), {
      ...{ userId: team.accountId, amountCents: 2_000_000, note: newId(), currency: 'USD' },
    });
    const [request] = await db().select().from(approvals).where(eq(approvals.id, transferId));
    expect(request?.summary).toContain(`the account “${name}”`);
    await expect(approve(staff, transferId, approvalExecutors)).rejects.toMatchObject(forbidden);
    await approve(await makeStaff('ManageWallets'), transferId, approvalExecutors);
  });
});

it('the bank credit of a team waits when its member uploads the statement', async () => {
  const member = await join(await makeStaff('ManageWallets'), 'finance');
  const request = await makePartialTransfer({ ...member, accountId: member.userId }, { userId: team.accountId });
  const [line] = await db().select().from(bankLines).where(eq(bankLines.requestId, request.id));
  expect(line).toMatchObject({ state: 'partial', reason: 'own_wallet' });
});

describe('a seller in the team', () => {
  it('gets no placement for an order of the team, but for one of others', async () => {
    const seller = await join(await makeUser('Seller'), 'buyer');
    const values = { isFulfilledByStaff: false, sellerPriceCents: 600 };
    const siteId = await makeSite(seller.userId, 1_000, values);
    const { buyer } = team.members;
    await fundWallet(team.accountId, 1_000);
    const order = { kind: 'custom' as const, siteIds: [siteId], projectId: await makeProject(buyer) };
    const [own] = (await createOrder(buyer, order)).orders;
    expect(own).toMatchObject({ placement: null });
    const stranger = await makeUser();
    await fundWallet(stranger.userId, 1_000);
    const [other] = (await createOrder(stranger, { ...order, projectId: await makeProject(stranger) })).orders;
    expect(other?.placement).toMatchObject({ state: 'offered' });
  });

  it('cannot act for the buyer of an order that was placed before', async () => {
    const person = await makeUser('Seller');
    const { id } = await makePlacement('delivered', { buyer: team.members.owner, seller: person });
    const seller = await join(person, 'manager');
    const nothing = async () => undefined;
    await expect(actAsBuyer(seller, id, {}, nothing)).rejects.toMatchObject(forbidden);
    await expect(openDispute(seller, id, 'buyer', { reason: 'other', text: 'Mine' })).rejects.toMatchObject(forbidden);
    await actAsBuyer(team.members.owner, id, {}, nothing);
  });
});

it('an action of a member is of the buyer, also of one who is staff elsewhere', async () => {
  const { owner } = team.members;
  const staff = await makeStaff('ManageOrders');
  const member = await join(staff, 'manager');
  await fundWallet(team.accountId, 1_000);
  const siteId = await makeSite((await makeUser('Seller')).userId, 1_000);
  const [order] = (
    await createOrder(member, { kind: 'custom', siteIds: [siteId], projectId: await makeProject(member) })
  ).orders;
  const row = await getOrder(owner, order?.id ?? 0);
  const as = async (side: 'staff' | 'buyer', memberId?: string) => (await getTimeline(row, side, memberId))[0];
  expect(await as('staff')).toMatchObject({ role: 'buyer' });
  expect(await as('buyer', staff.userId)).toMatchObject({ role: 'buyer', by: 'You' });
  const colleague = await as('buyer', owner.userId);
  expect(colleague).toMatchObject({ role: 'buyer' });
  expect(colleague?.by).not.toBe('You');
  const room = await getRoomPage(owner, await findRoom(owner, 'buyer', row.id));
  expect(room.entries[0]).toMatchObject({ isOwn: false, by: 'buyer' });
});
