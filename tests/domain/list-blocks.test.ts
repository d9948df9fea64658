import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import { db } from '@/db/client';
import { linkChecks, linkDigests, linkVerdicts } from '@/db/schema/links';
import { orderMessages } from '@/db/schema/order-messages';
import { orders } from '@/db/schema/orders';
import { projects } from '@/db/schema/projects';
import { webhookEndpoints } from '@/db/schema/webhook-endpoints';
import { personalAccount } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { type ScalePeople, seedScale } from '@/tests/bench/seed-scale';

// One connection, so that its statistics cover every statement of a call.
vi.hoisted(() => {
  process.env.DATABASE_POOL_MAX = '1';
});

import { ledgerRollup } from '@/db/schema/ledger-rollups';
import { listRoles } from '@/lib/access/roles';
import { listMembers } from '@/lib/accounts/queries';
import { exportAuditLogs } from '@/lib/audit/export';
import { listAuditKinds, listAuditLogs, listAuditUsers, listLatestChanges } from '@/lib/audit/queries';
import { auditLogQuery } from '@/lib/audit/schemas';
import { countRoleFactors } from '@/lib/auth/two-step';
import { getGrowth, getLatestActivity, getRevenue, haveSellersEarned } from '@/lib/dashboard/admin';
import { getAttention, listFailedMails } from '@/lib/dashboard/attention';
import { countBuyerOrders, getLatestOrders } from '@/lib/dashboard/buyer';
import { getDrSpread, getLinkFigures, listLostLinks, listNextDeliveries } from '@/lib/dashboard/buyer-figures';
import { getCashPosition } from '@/lib/dashboard/cash-position';
import { getMarketplaceFigures } from '@/lib/dashboard/marketplace-figures';
import { listEntries, listFigureOrders } from '@/lib/dashboard/money-entries';
import { currentDay, shiftDay } from '@/lib/dashboard/money-figures';
import { getSellerActivity, getSellerWork } from '@/lib/dashboard/seller';
import { getOfferFigures, getSellerSteps } from '@/lib/dashboard/seller-figures';
import { listSellerRecords, sellerRecordsQuery } from '@/lib/dashboard/seller-records';
import { listSellers } from '@/lib/dashboard/sellers';
import { listTaxDocuments } from '@/lib/dashboard/tax-reports/documents';
import { readTaxReport } from '@/lib/dashboard/tax-reports/tax';
import { listDeliveries, listEvents } from '@/lib/developers/webhooks/queries';
import { listStatements } from '@/lib/earnings/self-billing/queries';
import {
  exportEarnings,
  getEarnings,
  getMoneyMonths,
  getMonthlyStatement,
  listEarningEntries,
} from '@/lib/earnings/statement';
import { getEarningsSummary } from '@/lib/earnings/summary';
import type { PageRequest } from '@/lib/id-cursor';
import { listInvoiceDeliveries } from '@/lib/invoices/delivery/queries';
import { addUpDocuments, listDocumentMonths, listDocuments } from '@/lib/invoices/list-documents';
import { listReceivables } from '@/lib/ledger/receivables';
import { rollUpLedger } from '@/lib/ledger/roll-up';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { getNotifications } from '@/lib/notifications/notifications';
import { countCartSites, listCarts } from '@/lib/orders/carts/queries';
import { buyerTabNames, placementTabNames } from '@/lib/orders/contract';
import { exportDisputes } from '@/lib/orders/disputes/export';
import { countOverdueDisputes, listDisputes } from '@/lib/orders/disputes/queries';
import { exportWatches } from '@/lib/orders/link-checks/export';
import { getOrderLink, listChecks, listWatches } from '@/lib/orders/link-checks/queries';
import { runLinkChecks } from '@/lib/orders/link-checks/run';
import { findRoom, listUnreadRooms } from '@/lib/orders/messages/room';
import { getRoomPage } from '@/lib/orders/messages/stream';
import { mailLinkDigests } from '@/lib/orders/notices/link-digests';
import { getStepTimes } from '@/lib/orders/notices/steps';
import { listAllOrders } from '@/lib/orders/order/desk-queries';
import { exportOrders } from '@/lib/orders/order/export';
import {
  countLinksByVerdict,
  getProjectOrderStats,
  getProjectSpend,
  listLiveLinks,
} from '@/lib/orders/order/project-figures';
import { countBuyerTabs, listOrderedProjects, listOrders } from '@/lib/orders/order/queries';
import { countSellerOrders, listDueOrders, listSellerOrders } from '@/lib/orders/order/seller-queries';
import { countByStatus, listBuyers, listFulfillers, listQueue } from '@/lib/orders/order/staff-queue';
import type { RequestsQuery } from '@/lib/orders/requests/contract';
import { listRequests } from '@/lib/orders/requests/queries';
import { listSpending } from '@/lib/orders/spending/facts';
import { bankLinesQuery } from '@/lib/payments/bank-transfers/contract';
import { listBankLines } from '@/lib/payments/bank-transfers/queries';
import { listDisputes as listPaymentDisputes } from '@/lib/payments/reversals/disputes';
import { listWithheld } from '@/lib/payments/reversals/return-disputed';
import { adminRefundsQuery } from '@/lib/payments/reversals/source-refunds/contract';
import { listOwnRefunds, listRefundableTopups, listRefunds } from '@/lib/payments/reversals/source-refunds/queries';
import { countUnbooked, exportSettlement, listSettlementLines } from '@/lib/payments/settlement/queries';
import { listUncreditedTopups } from '@/lib/payments/top-ups/queries';
import { listSuspendedPayments } from '@/lib/payments/top-ups/suspended-payments';
import { listPayoutBatches } from '@/lib/payouts/batches';
import { adminPayoutsQuery } from '@/lib/payouts/contract';
import { listPayouts, listSellerPayouts } from '@/lib/payouts/queries';
import type { ListLinkedDomainsQuery } from '@/lib/projects/linked-domains/contract';
import { listLinkedDomains } from '@/lib/projects/linked-domains/list-linked';
import { listProjects } from '@/lib/projects/projects';
import { getSiteViews } from '@/lib/sites/count-view';
import { listOwnRecords } from '@/lib/sites/record/list-own';
import { countSellerGaps, listSellerSites } from '@/lib/sites/seller-queries';
import { exportPeople } from '@/lib/users/export';
import { countPeople, listPeople, personSortKeys } from '@/lib/users/queries';
import { listWalletUsers } from '@/lib/users/wallet-users';
import {
  getTotalWalletBalance,
  listAllTransactions,
  listWalletTransactions,
  streamTransactions,
} from '@/lib/wallet/queries';
import { getSpendingMonths } from '@/lib/wallet/spending';
import { forgetStatistics } from '@/tests/bench/forget-statistics';
import { actorOf } from '@/tests/factories/make-user';
import { blocksOf } from '@/tests/setup/count-blocks';

const orderCount = 20_000;
let people: ScalePeople;
/** The owner of the team with the most orders and members, as a member of it, and the buyer with the most orders. */
let agency: Actor;
let buyer: Actor;
let [endpointId, agencyProjectId] = ['', ''];
beforeAll(async () => {
  people = await seedScale(process.env.MIGRATION_DATABASE_URL ?? '', {
    users: 4_000,
    sites: 6_000,
    orders: orderCount,
    auditLines: 2 * orderCount,
    largestBuyer: orderCount / 5,
    largestSeller: 1_000,
  });
  while ((await rollUpLedger()).rolledUp > 0);
  buyer = await actorOf(people.buyerId);
  agency = { ...(await actorOf(people.agencyOwnerId)), accountId: people.agencyId, accountName: 'Agency 1' };
  const [project] = await db().select().from(projects).where(eq(projects.accountId, people.agencyId)).limit(1);
  agencyProjectId = project?.id ?? '';
  const endpoints = await db().select().from(webhookEndpoints).where(eq(webhookEndpoints.ownerId, people.buyerId));
  endpointId = endpoints.find(({ isInstallation }) => !isInstallation)?.id ?? '';
}, 600_000);

/** The order whose link was checked most often. */
let oftenChecked = 0;
beforeAll(async () => {
  const [found] = await db()
    .select({ orderId: linkChecks.orderId })
    .from(linkChecks)
    .groupBy(linkChecks.orderId)
    .orderBy(sql`count(*) desc`)
    .limit(1);
  oftenChecked = found?.orderId ?? 0;
});

/** The room with the most messages, as its buyer reads it. */
let largestRoom: { middleId: number; read: (message?: number) => Promise<unknown> };
beforeAll(async () => {
  const [found] = await db()
    .select({
      id: orders.id,
      userId: orders.orderedBy,
      accountId: orders.accountId,
      middleId: sql<number>`avg(order_messages.id)::int`,
    })
    .from(orderMessages)
    .innerJoin(orders, eq(orders.id, orderMessages.orderId))
    .groupBy(orders.id)
    .orderBy(sql`count(*) desc`)
    .limit(1);
  if (!found) throw new Error('There are no messages.');
  const reader = { ...(await actorOf(found.userId)), accountId: found.accountId };
  const end = 999_999_999;
  largestRoom = {
    middleId: found.middleId,
    read: async (message = end) =>
      getRoomPage(reader, await findRoom(reader, 'buyer', found.id), { step: end, event: end, message }),
  };
});

const transactions = (changes: Partial<Parameters<typeof listAllTransactions>[0]> = {}) =>
  listAllTransactions({ q: '', limit: 25, ...changes });
const ownTransactions = (changes: Partial<Parameters<typeof listWalletTransactions>[1]> = {}) =>
  listWalletTransactions(people.buyerId, { limit: 25, ...changes });
const earnings = (changes: Partial<Parameters<typeof listEarningEntries>[1]> = {}) =>
  listEarningEntries(people.sellerId, { limit: 25, ...changes });
const today = currentDay();
const sort = { key: 'orders', order: 'desc' } as const;
const month = { from: shiftDay(today, -29), to: today };
const moneyEntries = (figure: string) => listEntries({ figure, currency: 'USD', period: month }, { limit: 25 });
const entries = (query: Record<string, string>) => listAuditLogs(auditLogQuery.parse({ limit: 50, ...query }));

const sellerOrders = (changes: Partial<Parameters<typeof listSellerOrders>[1]> = {}) =>
  listSellerOrders({ userId: people.sellerId }, { limit: 25, ...changes });
const countTabs = () => Promise.all(placementTabNames.map((state) => countSellerOrders(people.sellerId, { state })));
const requests = (changes: Partial<RequestsQuery> = {}) => listRequests(agency, { limit: 25, offset: 0, ...changes });
const linkedDomains = (changes: Partial<ListLinkedDomainsQuery> = {}) =>
  listLinkedDomains(people.projectId, { limit: 25, offset: 0, ...changes });
const taxDocuments = (filter: Partial<Parameters<typeof listTaxDocuments>[0]>, page: Partial<PageRequest> = {}) =>
  listTaxDocuments({ from: monthsAgo(6), to: monthsAgo(6), ...filter }, { limit: 25, ...page });
const payouts = (changes: Partial<z.output<typeof adminPayoutsQuery>> = {}) =>
  listPayouts({ ...adminPayoutsQuery.parse({ limit: '25' }), ...changes });
const monthsAgo = (months: number) => new Date(Date.now() - months * 30 * 86_400_000).toISOString().slice(0, 7);
const disputePage = { limit: 25, offset: 0 } as const;

/** Proves the books without anything new. It reads the balances of all accounts and the placements that hold money. */
async function proveNew(): Promise<void> {
  const [state] = await db().select().from(ledgerRollup);
  await verifyBooks({ since: { position: state?.position ?? 0, startedAt: new Date(Date.now() + 7_200_000) } });
}

/** Queues the weekly mail of the largest buyer. */
async function mailDigest(): Promise<void> {
  await db().update(linkDigests).set({ dueAt: sql`now()` }).where(eq(linkDigests.accountId, people.buyerId));
  expect(await mailLinkDigests()).toEqual({ mailed: 1, skipped: 0, failed: 0 });
}

/** Each call, with the number of blocks that it may read; the tables have about 10,000. A placement in a list reads its link too. */
const calls: [name: string, blocks: number, call: () => Promise<unknown>][] = [
  ['orders', 1_000, () => listAllOrders({ limit: 25 })],
  ['the queue of staff', 1_500, () => listQueue(undefined, { limit: 25 })],
  ['the queue of staff of a status', 1_500, () => listQueue('Processing', { limit: 25 })],
  ['the numbers of its tabs', 2_000, () => countByStatus()],
  ['the last of the queue of staff', 1_500, () => listQueue(undefined, { limit: 25, cursor: { toward: 'last' } })],
  ['the steps of an order', 100, () => getStepTimes(oftenChecked, 'staff')],
  [
    "a large seller's orders by their due day",
    1_000,
    () => listDueOrders({ userId: people.sellerId }, 'publish', { limit: 25 }),
  ],
  ['orders by charge', 1_500, () => listAllOrders({ limit: 25, sort: 'charged', order: 'desc' })],
  ['orders of a status', 700, () => listAllOrders({ limit: 25, status: 'Pending' })],
  ['orders of a buyer', 700, () => listAllOrders({ limit: 25, userId: people.ordinaryBuyerId })],
  ['orders that a rare word matches', 700, () => listAllOrders({ limit: 25, q: 'nosuchword' })],
  ['an order by its number', 700, () => listAllOrders({ limit: 25, q: '#777' })],
  [
    'orders of the middle',
    1_000,
    () => listAllOrders({ limit: 25, cursor: { toward: 'next', id: String(orderCount / 2) } }),
  ],
  ['the last orders', 1_000, () => listAllOrders({ limit: 25, cursor: { toward: 'last' } })],
  ['orders fulfilled by staff', 700, () => listAllOrders({ limit: 25, fulfilledBy: 'staff' })],
  ['orders fulfilled by sellers', 900, () => listAllOrders({ limit: 25, fulfilledBy: 'seller' })],
  ['orders fulfilled by a seller', 900, () => listAllOrders({ limit: 25, fulfilledBy: people.sellerId })],
  ['orders of a state', 900, () => listAllOrders({ limit: 25, state: 'approved' })],
  ['orders of a rare state', 700, () => listAllOrders({ limit: 25, state: 'lost' })],
  ['disputed orders', 1_000, () => listAllOrders({ limit: 25, mark: 'disputed' })],
  ['orders with contact data', 700, () => listAllOrders({ limit: 25, mark: 'contact' })],
  [
    'the last orders with contact data',
    700,
    () => listAllOrders({ limit: 25, mark: 'contact', cursor: { toward: 'last' } }),
  ],
  ['late orders', 900, () => listAllOrders({ limit: 25, mark: 'late' })],
  ['the last late orders', 900, () => listAllOrders({ limit: 25, mark: 'late', cursor: { toward: 'last' } })],
  ['orders due today', 900, () => listAllOrders({ limit: 25, due: 'today' })],
  ['orders due this week', 900, () => listAllOrders({ limit: 25, due: 'week' })],
  [
    'disputed orders that a rare word matches',
    700,
    () => listAllOrders({ limit: 25, mark: 'disputed', q: 'nosuchword' }),
  ],
  ['late orders that a rare word matches', 700, () => listAllOrders({ limit: 25, mark: 'late', q: 'nosuchword' })],
  ...(['age', 'amount'] as const).flatMap((sort): typeof calls => [
    [`disputes by ${sort}`, 700, () => listDisputes({ ...disputePage, sort })],
    [`the last disputes by ${sort}`, 700, () => listDisputes({ ...disputePage, sort, cursor: { toward: 'last' } })],
    [
      `ended disputes of a reason by ${sort}`,
      700,
      () => listDisputes({ ...disputePage, sort, state: 'ended', reason: 'other' }),
    ],
    [
      `ended disputes that sellers opened by ${sort}`,
      90,
      () => listDisputes({ ...disputePage, sort, state: 'ended', openedBy: 'seller' }),
    ],
  ]),
  ['disputes of an order', 70, () => listDisputes({ ...disputePage, sort: 'age', q: '#777' })],
  ['disputes that are open for a day', 40, () => countOverdueDisputes()],
  ['own orders', 700, () => listOrders(personalAccount(people.buyerId), { limit: 25 })],
  ['own orders of a status', 700, () => listOrders(personalAccount(people.buyerId), { limit: 25, status: 'Rejected' })],
  [
    'own orders of a project',
    700,
    () => listOrders(personalAccount(people.buyerId), { limit: 25, projectId: people.projectId }),
  ],
  [
    'the last own orders',
    700,
    () => listOrders(personalAccount(people.buyerId), { limit: 25, cursor: { toward: 'last' } }),
  ],
  ...([...buyerTabNames, 'attention'] as const).map((part): (typeof calls)[number] => [
    `own orders of ${part}`,
    // The placement of each order that it counts is looked up.
    part === 'waiting' ? 3_500 : part === 'repair' ? 2_000 : 900,
    () => listOrders(personalAccount(people.buyerId), { limit: 25, part }),
  ]),
  ["the numbers of a large buyer's tabs", 4_000, () => countBuyerTabs(personalAccount(people.buyerId))],
  ['transactions', 900, () => transactions()],
  ['the last transactions', 900, () => transactions({ cursor: { toward: 'last' } })],
  ['transactions of an ordinary buyer', 900, () => transactions({ userId: people.ordinaryBuyerId })],
  ['transactions that a rare word matches', 900, () => transactions({ q: 'nosuchword' })],
  ['transactions that a frequent word matches', 900, () => transactions({ q: 'manual' })],
  ['transactions of an order', 900, () => transactions({ q: 'order #777' })],
  ['transactions of an amount', 900, () => transactions({ q: '$12.34' })],
  ['transactions of a day', 1_200, () => transactions({ q: '2026-03-04' })],
  ['a transaction by the end of its id', 900, () => transactions({ q: '00000000' })],
  ['own transactions', 900, () => ownTransactions()],
  ['the last own transactions', 900, () => ownTransactions({ cursor: { toward: 'last' } })],
  ['own transactions that a rare word matches', 900, () => ownTransactions({ q: 'nosuchword' })],
  ['own transactions that a frequent word matches', 6_000, () => ownTransactions({ q: 'order' })],
  ['wallets by name', 350, () => listWalletUsers({ limit: 25 })],
  ['wallets by balance', 450, () => listWalletUsers({ limit: 25 }, { key: 'balance', order: 'desc' })],
  ['wallets by balance, lowest first', 170, () => listWalletUsers({ limit: 25 }, { key: 'balance', order: 'asc' })],
  ["orders of a large seller's sites", 800, () => sellerOrders()],
  ...placementTabNames.map((state): (typeof calls)[number] => [
    `the tab "${state}" of a large seller`,
    // A list for each of seven states, without deleted orders.
    state === 'closed' ? 1_100 : 800,
    () => sellerOrders({ state }),
  ]),
  [
    "the last closed orders of a large seller's sites",
    1_100,
    () => sellerOrders({ state: 'closed', cursor: { toward: 'last' } }),
  ],
  ["orders of a large seller's sites that a rare word matches", 500, () => sellerOrders({ q: 'nosuchword' })],
  ["orders of a large seller's sites that a frequent word matches", 2_000, () => sellerOrders({ q: 'example' })],
  ["an order of a large seller's sites by its number", 500, () => sellerOrders({ q: '#778' })],
  ["a large seller's open orders", 500, () => getSellerWork(people.sellerId)],
  ["a large seller's earnings by month", 100, () => getEarnings(people.sellerId)],
  ["where a large seller's money is", 200, () => getEarningsSummary(people.sellerId)],
  ["a large seller's months", 100, () => getMoneyMonths(people.sellerId)],
  [
    "the balances of a month of a large seller's statement",
    100,
    () => getMonthlyStatement(people.sellerId, { month: monthsAgo(6), account: 'available' }),
  ],
  ["what a large seller's placements still bring", 1_000, () => sellerOrders({ state: 'earning' })],
  ["a large seller's available money", 300, () => earnings({ account: 'available' })],
  [
    "the middle of a large seller's available money",
    300,
    () => earnings({ account: 'available', cursor: { toward: 'next', id: '500' } }),
  ],
  ["a month of a large seller's available money", 500, () => earnings({ account: 'available', month: monthsAgo(12) })],
  ["a large seller's statement", 300, () => earnings()],
  ["the middle of a large seller's statement", 300, () => earnings({ cursor: { toward: 'next', id: '500' } })],
  ["the end of a large seller's statement", 300, () => earnings({ cursor: { toward: 'last' } })],
  ["a month of a large seller's statement", 500, () => earnings({ month: monthsAgo(12) })],
  ['audit entries', 300, () => entries({})],
  ['audit entries of an action', 900, () => entries({ action: 'order.created' })],
  ['audit entries of a record type', 900, () => entries({ entity: 'site' })],
  ['audit entries of a source', 900, () => entries({ source: 'web' })],
  ['audit entries of a user', 900, () => entries({ user: people.buyerId })],
  ['audit entries of an action of a user', 400, () => entries({ user: people.buyerId, action: 'site.updated' })],
  ['audit entries of a month', 700, () => entries({ from: '2026-03-01', to: '2026-03-31' })],
  ['audit entries that a rare word matches', 400, () => entries({ q: 'nosuchword' })],
  ['audit entries of an order', 400, () => entries({ q: 'order 777' })],
  ['the last audit entries', 300, () => entries({ cursor: 'last' })],
  ['kinds of audit entries', 100, () => listAuditKinds()],
  ['users with audit entries', 4_500, () => listAuditUsers()],
  ['latest changes', 100, () => listLatestChanges(8)],
  ['revenue by day', 50, () => getRevenue()],
  ['cash and what is owed', 200, () => getCashPosition(today)],
  ['cash and what is owed on an earlier day', 170, () => getCashPosition(shiftDay(today, -200))],
  ['figures of a year', 8_000, () => getMarketplaceFigures({ from: shiftDay(today, -364), to: today })],
  ['the entries of a provider', 500, () => moneyEntries('stripe')],
  ['the entries of all wallets', 400, () => moneyEntries('wallet')],
  ['the entries of what is reserved', 800, () => moneyEntries('reserved')],
  ['late deliveries of a month', 450, () => listFigureOrders('late', month, { limit: 25 })],
  ['lost links of a month', 90, () => listFigureOrders('lost', month, { limit: 25 })],
  ['sellers', 8_000, () => listSellers({ seesSites: true, seesMoney: true, sort, limit: 25, offset: 0 })],
  ['whether sellers have earned', 10, () => haveSellersEarned()],
  ['the proof of what is new', 2_500, () => proveNew()],
  ['the sum of all wallets', 130, () => getTotalWalletBalance()],
  ['buyers who owe', 30, () => listReceivables()],
  ['what a project has cost', 50, () => getProjectSpend(people.projectId)],
  ['the admin dashboard', 2_000, () => Promise.all([getGrowth(), getAttention(), getLatestActivity()])],
  [
    "a large buyer's dashboard",
    700,
    () =>
      Promise.all([
        countBuyerOrders(personalAccount(people.buyerId)),
        getLatestOrders(personalAccount(people.buyerId)),
      ]),
  ],
  ["a large buyer's spending by month", 70, () => getSpendingMonths(people.buyerId)],
  ["a large buyer's links of the month", 700, () => getLinkFigures({ accountId: people.buyerId, projectIds: null })],
  ["a large buyer's lost links", 100, () => listLostLinks({ accountId: people.buyerId, projectIds: null })],
  ["a large buyer's next deliveries", 200, () => listNextDeliveries({ accountId: people.buyerId, projectIds: null })],
  // A thousand orders and their sites.
  ['the DR of what a large buyer bought', 3_900, () => getDrSpread({ accountId: people.buyerId, projectIds: null })],
  ["a large seller's offers and answer time", 5_000, () => getOfferFigures(people.sellerId)],
  ["a large seller's first steps", 500, () => getSellerSteps({ userId: people.sellerId, status: 'Active' })],
  ["the views of a large seller's sites", 40, () => getSiteViews(people.sellerId)],
  ["a large seller's activity", 4_000, () => getSellerActivity(people.sellerId)],
  ['a room with 500 messages', 500, () => largestRoom.read()],
  ['the middle of a room with 500 messages', 500, () => largestRoom.read(largestRoom.middleId)],
  ['rooms with unread messages', 200, () => listUnreadRooms(personalAccount(people.buyerId))],
  ...[undefined, ...linkVerdicts].flatMap((verdict): typeof calls => [
    [`${verdict ?? 'all'} links`, 700, () => listWatches({ limit: 25, offset: 0, verdict })],
    [
      `the last ${verdict ?? 'of all'} links`,
      700,
      () => listWatches({ limit: 25, offset: 0, verdict, cursor: { toward: 'last' } }),
    ],
  ]),
  ['the checks of a link that was checked 500 times', 100, () => listChecks(oftenChecked, { limit: 50 })],
  ['older checks of it', 30, () => listChecks(oftenChecked, { limit: 50, before: 200 })],
  ['its screen', 100, () => getOrderLink(oftenChecked)],
  ['links of a project by verdict', 100, () => countLinksByVerdict(people.projectId)],
  ['links that are due', 600, () => runLinkChecks()],
  ["the weekly mail about a large buyer's links", 1_000, () => mailDigest()],
  ['own ordered projects', 700, () => listOrderedProjects(personalAccount(people.buyerId))],
  ...personSortKeys.flatMap((key): typeof calls => [
    // Without statistics, the table of 500 blocks is read.
    [`users by ${key}`, 240, () => listPeople({ limit: 25 }, { key, order: 'asc' })],
    [`users by ${key}, descending`, 80, () => listPeople({ limit: 25 }, { key, order: 'desc' })],
    [
      `the last users by ${key}`,
      80,
      () => listPeople({ limit: 25, cursor: { toward: 'last' } }, { key, order: 'asc' }),
    ],
    [
      `users of the middle by ${key}`,
      80,
      () => listPeople({ limit: 25, cursor: { toward: 'next', id: people.ordinaryBuyerId } }, { key, order: 'asc' }),
    ],
  ]),
  [
    'users of a role that none has',
    30,
    () => listPeople({ limit: 25, role: 'Admin' }, { key: 'joined', order: 'desc' }),
  ],
  ['users of a rare status', 30, () => listPeople({ limit: 25, status: 'Expired' }, { key: 'joined', order: 'desc' })],
  ['users that a rare word matches', 70, () => listPeople({ limit: 25, q: 'nosuchword' })],
  ['a user by the address', 60, () => listPeople({ limit: 25, q: 'person777@post.example.com' })],
  ['roles', 100, () => listRoles()],
  ['roles with second factors', 600, () => countRoleFactors()],
  ['buyers', 3_000, () => listBuyers()],
  ['sellers of placements', 3_000, () => listFulfillers()],
  ['requests of an agency', 600, () => requests()],
  ['approved requests of an agency', 600, () => requests({ state: 'approved' })],
  ['the last requests of an agency', 600, () => requests({ cursor: { toward: 'last' } })],
  ['members of an agency', 250, () => listMembers(agency, people.agencyId)],
  ["an agency's orders of a project", 700, () => listOrders(agency, { limit: 25, projectId: agencyProjectId })],
  // Each of 100 carts has ten sites.
  ['carts of a large buyer', 11_000, () => listCarts(buyer)],
  ['the number of sites in them', 80, () => countCartSites(buyer)],
  ['domains that link to a project', 50, () => linkedDomains()],
  ['a far page of them', 250, () => linkedDomains({ offset: 5_000 })],
  ['documents of a large buyer', 500, () => listDocuments(buyer, { limit: 25 })],
  ['documents of the middle', 500, () => listDocuments(buyer, { limit: 25, offset: 2_000 })],
  ['the last documents', 500, () => listDocuments(buyer, { limit: 25, cursor: { toward: 'last' } })],
  ['documents of a month', 500, () => listDocuments(buyer, { limit: 25, month: monthsAgo(3) })],
  ['documents of an agency', 500, () => listDocuments(agency, { limit: 25 })],
  ["the months of a large buyer's documents", 500, () => listDocumentMonths(buyer)],
  ['the sums of a month', 100, () => addUpDocuments(buyer, monthsAgo(3))],
  ['the report of tax of two months', 800, () => readTaxReport({ from: monthsAgo(3), to: monthsAgo(2), by: 'month' })],
  ['documents of a month with tax', 400, () => taxDocuments({})],
  ['documents of a month without a country', 600, () => taxDocuments({ country: 'none' })],
  ['the last documents of a month', 400, () => taxDocuments({}, { cursor: { toward: 'last' } })],
  ['deliveries of documents', 300, () => listInvoiceDeliveries({}, { limit: 25 })],
  ['failed deliveries of documents', 300, () => listInvoiceDeliveries({ state: 'failed' }, { limit: 25 })],
  ['self-billed statements', 150, () => listStatements(undefined, { limit: 25 })],
  ["a large seller's statements", 50, () => listStatements(people.sellerId, { limit: 25 })],
  ['payouts', 700, () => payouts()],
  ['paid payouts', 700, () => payouts({ state: 'paid' })],
  ['payouts that a rare word matches', 140, () => payouts({ q: 'nosuchword' })],
  ['the last payouts', 700, () => payouts({ cursor: { toward: 'last' } })],
  ["a large seller's payouts", 40, () => listSellerPayouts(people.sellerId, { limit: 25 })],
  ['refunds to the payment method', 200, () => listRefunds(adminRefundsQuery.parse({ limit: '25' }))],
  ['lines of statements', 30, () => listSettlementLines({}, { limit: 50 })],
  ['the last lines of statements', 30, () => listSettlementLines({}, { limit: 50, cursor: { toward: 'last' } })],
  ['lines of statements that are open', 50, () => listSettlementLines({ outcome: 'open' }, { limit: 50 })],
  ['lines of statements that are not booked', 30, () => countUnbooked()],
  ['disputed payments', 80, () => listPaymentDisputes('ended', { limit: 25, offset: 0 })],
  ['transfers of bank statements', 130, () => listBankLines(bankLinesQuery.parse({ limit: '25' }))],
  ['events of a large buyer', 30, () => listEvents(buyer, 'own', { limit: 25 })],
  ['deliveries of an endpoint', 300, () => listDeliveries(buyer, 'own', endpointId, { limit: 25 })],
  [
    'failed deliveries of an endpoint',
    170,
    () => listDeliveries(buyer, 'own', endpointId, { limit: 25, state: 'failed' }),
  ],
  ["a large buyer's notifications", 2_500, () => getNotifications(buyer)],
  ["the numbers of a large seller's tabs", 650, () => countTabs()],
  ["a large seller's sites that lack a figure", 180, () => countSellerGaps(people.sellerId)],
  ["the record of a large seller's sites", 20, () => listOwnRecords(people.sellerId, { limit: 25, offset: 0 })],
  ['the records of sellers', 60, () => listSellerRecords(sellerRecordsQuery.parse({ limit: '25' }))],
  ['the number of users', 20, () => countPeople({})],
  ['batches of payouts', 500, () => listPayoutBatches()],
  ["a large buyer's refunds", 20, () => listOwnRefunds(people.buyerId, { limit: 25 })],
  ["a large buyer's refundable top-ups", 300, () => listRefundableTopups(people.buyerId)],
  ["a large buyer's top-ups without credit", 20, () => listUncreditedTopups(people.buyerId)],
  ['projects of an agency', 20, () => listProjects(agency, { limit: 25, offset: 0 })],
  ['what the members of an agency spent this month', 300, () => listSpending(db(), { accountId: people.agencyId })],
  ['payments that wait for staff', 40, () => listSuspendedPayments()],
  ['withheld payments', 30, () => listWithheld()],
  ['mails that failed', 20, () => listFailedMails()],
  ['own sites of a large seller', 700, () => listSellerSites(people.sellerId, { limit: 25 })],
  ['the last own sites', 250, () => listSellerSites(people.sellerId, { limit: 25, cursor: { toward: 'last' } })],
  ['pending own sites', 700, () => listSellerSites(people.sellerId, { limit: 25, status: 'Pending' })],
];

/** Reads a stream to its end, or its first chunks. */
async function drain(chunks: AsyncGenerator<unknown>, count = Number.POSITIVE_INFINITY): Promise<void> {
  for (let read = 0; read < count && !(await chunks.next()).done; read += 1);
}

/** The same for streams of whole lists. */
const streams: typeof calls = [
  ['the first rows of the CSV of orders', 4_000, () => drain(exportOrders({}), 2)],
  ['the CSV of orders that a rare word matches', 700, () => drain(exportOrders({ q: 'nosuchword' }))],
  ['the first rows of all transactions', 4_500, () => drain(streamTransactions({ q: '' }), 1)],
  [
    'all transactions of an ordinary buyer',
    700,
    () => drain(streamTransactions({ q: '', userId: people.ordinaryBuyerId })),
  ],
  ['all transactions that a rare word matches', 700, () => drain(streamTransactions({ q: 'nosuchword' }))],
  ["the first rows of a large seller's statement", 5_000, () => drain(exportEarnings(people.sellerId, {}), 2)],
  ['the first rows of the CSV of users', 1_800, () => drain(exportPeople({}), 2)],
  ['the first rows of the CSV of links', 2_900, () => drain(exportWatches({}), 2)],
  ['the first rows of the CSV of disputes', 7_300, () => drain(exportDisputes({}), 2)],
  ['the first rows of the CSV of statements', 30, () => drain(exportSettlement({}), 2)],
  ['the first rows of the CSV of the audit log', 2_500, () => drain(exportAuditLogs({}), 2)],
  ['live links of a project', 700, () => listLiveLinks(people.projectId, { limit: 25 })],
  ['counts of a project', 700, () => getProjectOrderStats(people.projectId)],
];

/** Requires that a call reads at most a number of blocks. */
async function expectFew(blocks: number, call: () => Promise<unknown>): Promise<void> {
  expect(await blocksOf(call)).toBeLessThanOrEqual(blocks);
}

describe('a list reads a bounded part of its tables', () => {
  it.each([...calls, ...streams])('%s', (_, blocks, call) => expectFew(blocks, call));
});

/** The lists whose plans do not depend on statistics: those that staff and buyers open first. */
const independent = [
  ...['orders', 'orders of the middle', 'the last orders', 'the queue of staff', 'the queue of staff of a status'],
  ...['the numbers of its tabs', 'the last of the queue of staff', 'own orders', 'users by name', 'users by joined'],
  ...['audit entries', 'the last audit entries', 'latest changes', 'payouts', 'requests of an agency', 'all links'],
  ...['own sites of a large seller', 'pending own sites', "a large seller's payouts", 'documents of a month'],
  ...['revenue by day', 'cash and what is owed', 'the sum of all wallets', 'what a project has cost'],
  ...['the admin dashboard', "a large buyer's dashboard", "a large buyer's spending by month"],
];

// After the other tests: the tables have no statistics any more, as between a bulk load and the first ANALYZE.
describe('without statistics of the tables', () => {
  beforeAll(() => forgetStatistics(process.env.MIGRATION_DATABASE_URL ?? ''));

  it.each(calls.filter(([name]) => independent.includes(name)))('%s', (_, blocks, call) => expectFew(3 * blocks, call));
});
