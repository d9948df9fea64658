import { and, eq, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { accountInvitations, accountMembers, accounts } from '@/db/schema/accounts';
import { bankTransferRequests } from '@/db/schema/bank-transfers';
import { carts } from '@/db/schema/carts';
import { clientReportMails } from '@/db/schema/client-reports';
import { disputes } from '@/db/schema/disputes';
import { isOpenChange, orderChanges } from '@/db/schema/order-changes';
import { orderRequests } from '@/db/schema/order-requests';
import { orders } from '@/db/schema/orders';
import { blockedDomains } from '@/db/schema/project-domains';
import { projects } from '@/db/schema/projects';
import { isOpenSourceRefund, sourceRefunds } from '@/db/schema/source-refunds';
import { billingProfiles } from '@/db/schema/tax';
import { topups } from '@/db/schema/topups';
import { webhookEndpoints } from '@/db/schema/webhook-endpoints';
import { AppError } from '@/lib/errors';
import { getOwedCents, getWalletBalance } from '@/lib/ledger/balance';
import { formatUsd } from '@/lib/money';
import { deleteLinkData, endRequests } from '@/lib/projects/projects';

/**
 * Requires that an account has no money and nothing that will move money: a balance, a debt, an open top-up, bank transfer
 * or refund, an order that is not finished, a paid change or a dispute. The account is locked.
 * @param name the account, as the beginning of a sentence
 * @throws AppError conflict
 */
export async function requireNoMoney(tx: Executor, accountId: string, name: string): Promise<void> {
  const refuse = (reason: string) => {
    throw new AppError('conflict', `${name} cannot be deleted: ${reason}`);
  };
  const balanceCents = await getWalletBalance(accountId, tx);
  if (balanceCents > 0) refuse(`its wallet has ${formatUsd(balanceCents)}. Spend it, or ask for a refund, first.`);
  const owedCents = await getOwedCents(accountId, tx);
  if (owedCents > 0)
    refuse(`it owes ${formatUsd(owedCents)} for payments that were taken back. Top the wallet up first.`);
  const [open] = await tx
    .select({
      payments: sql<boolean>`${isOpenTopup(accountId)} or ${isOpenTransfer(accountId)}`,
      refunds: sql<boolean>`exists (select from ${sourceRefunds}
      where ${eq(sourceRefunds.accountId, accountId)} and ${isOpenSourceRefund})`,
      orders: isRunning(accountId),
    })
    .from(sql`(values (1)) as once`);
  if (open?.payments) refuse('a top-up is not finished. Wait until it is paid or has ended.');
  if (open?.refunds) refuse('a refund of its wallet is not finished. Wait until it is.');
  if (open?.orders) refuse('it has orders that are not finished. Wait until they are.');
}

const isOpenTopup = (accountId: string) =>
  sql`exists (select from ${topups} where ${and(
    eq(topups.accountId, accountId),
    or(
      inArray(topups.status, ['pending', 'review']),
      // One that ended was not paid.
      and(eq(topups.status, 'created'), sql`${topups.expiresAt} > now()`),
    ),
  )})`;

const isOpenTransfer = (accountId: string) =>
  sql`exists (select from ${bankTransferRequests} where ${and(
    eq(bankTransferRequests.accountId, accountId),
    eq(bankTransferRequests.state, 'open'),
    sql`${bankTransferRequests.expiresAt} > now()`,
  )})`;

const isRunning = (accountId: string): SQL<boolean> =>
  sql<boolean>`exists (select from ${orders} where ${and(
    eq(orders.accountId, accountId),
    isNull(orders.deletedAt),
    or(
      inArray(orders.status, ['Pending', 'Processing']),
      sql`exists (select from ${orderChanges} where ${orderChanges.orderId} = ${orders.id} and ${isOpenChange})`,
      sql`exists (select from ${disputes} where ${disputes.orderId} = ${orders.id} and ${disputes.state} = 'open')`,
    ),
  )})`;

/**
 * Closes an account: ends its open requests, ends memberships and invitations, and deletes chats, carts, billing
 * details, block lists, imported links, anchor plans and monthly reports. Orders, documents, projects and ledger entries
 * stay. The account is locked and has no money; the caller ends API tokens and webhooks.
 */
export async function closeAccount(tx: Executor, accountId: string): Promise<void> {
  await tx.update(accounts).set({ deletedAt: new Date() }).where(eq(accounts.id, accountId));
  await endRequests(tx, eq(orderRequests.accountId, accountId));
  await tx.delete(accountMembers).where(eq(accountMembers.accountId, accountId));
  await tx.delete(accountInvitations).where(eq(accountInvitations.accountId, accountId));
  await tx
    .delete(webhookEndpoints)
    .where(and(eq(webhookEndpoints.ownerId, accountId), ne(webhookEndpoints.channel, 'webhook')));
  await tx.delete(carts).where(eq(carts.accountId, accountId));
  await tx.delete(billingProfiles).where(eq(billingProfiles.accountId, accountId));
  await tx.delete(blockedDomains).where(eq(blockedDomains.accountId, accountId));
  await deleteLinkData(tx, eq(projects.accountId, accountId));
  await tx.delete(clientReportMails).where(eq(clientReportMails.accountId, accountId));
}
