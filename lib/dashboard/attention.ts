import { and, count, desc, eq, gte, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { type CappedCount, countRows } from '@/db/count-up-to';
import { isUnknownLink, linkWatches } from '@/db/schema/links';
import { mails } from '@/db/schema/mails';
import type { ChangeState } from '@/db/schema/order-changes';
import { orders } from '@/db/schema/orders';
import { payouts } from '@/db/schema/payouts';
import { sites } from '@/db/schema/sites';
import { nicheProposals } from '@/db/schema/taxonomy';
import { topups, webhookEvents } from '@/db/schema/topups';
import type { AccountScope } from '@/lib/access/actor';
import { getBackupSchedule } from '@/lib/backup/schedule';
import { countUndelivered } from '@/lib/invoices/delivery/queries';
import { listReceivables } from '@/lib/ledger/receivables';
import { buyerOrderView, type OrderView } from '@/lib/orders/contract';
import { countOverdueDisputes } from '@/lib/orders/disputes/queries';
import { countUnreadMessages } from '@/lib/orders/messages/room';
import { countContactData, countLateOrders } from '@/lib/orders/order/desk-queries';
import { type BuyerTabCounts, countBuyerTabs, listOrders } from '@/lib/orders/order/queries';
import { listOpenChanges } from '@/lib/orders/placements/changes/queries';
import { countDisputes } from '@/lib/payments/reversals/disputes';
import { listWithheld } from '@/lib/payments/reversals/return-disputed';
import { countRequestedRefunds } from '@/lib/payments/reversals/source-refunds/queries';
import { listRateIssues } from '@/lib/settings/ecb-rates';
import { isAhrefsKeyRefused } from '@/lib/sites/domain-figures/ahrefs/rating-use';

/** The number of days for which failed mails are shown. */
export const failedMailDays = 7;

const isWatched = isNull(linkWatches.endedAt);
const isMissingLink = and(isWatched, eq(linkWatches.verdict, 'broken'));
const isLongUnknown = and(isUnknownLink, lt(linkWatches.unknownSince, sql`now() - interval '14 days'`));

const isFailedMail: SQL | undefined = and(
  isNotNull(mails.failedAt),
  gte(mails.failedAt, sql`now() - make_interval(days => ${failedMailDays})`),
);

/** Counts the items that need action by staff, up to a cap. */
export async function getAttention() {
  return awaitAll({
    pendingOrders: countRows(orders, and(eq(orders.status, 'Pending'), isNull(orders.deletedAt))),
    processingOrders: countRows(orders, and(eq(orders.status, 'Processing'), isNull(orders.deletedAt))),
    topupsInReview: countRows(topups, eq(topups.status, 'review')),
    // Payments that a buyer disputes, money of won disputes that did not return, and debts of buyers.
    paymentDisputes: countDisputes('open'),
    withheld: listWithheld().then(({ length }) => length),
    owing: listReceivables().then(({ length }) => length),
    pendingSites: countRows(sites, and(eq(sites.status, 'Pending'), isNull(sites.deletedAt))),
    // Niches of imports that the list does not have.
    nichesToReview: countRows(nicheProposals, isNull(nicheProposals.niche)),
    // Open for more than a day.
    overdueDisputes: countOverdueDisputes(),
    // Deliveries of sellers that are overdue.
    lateOrders: countLateOrders(),
    // Orders in which contact data was written in the last seven days.
    contactDataOrders: countContactData(),
    // Links whose newest check did not find them, and links that no check could judge for 14 days.
    missingLinks: countRows(linkWatches, isMissingLink),
    unknownLinks: countRows(linkWatches, isLongUnknown),
    // Payouts to approve, and approved payouts that are not sent.
    requestedPayouts: countRows(payouts, eq(payouts.state, 'requested')),
    approvedPayouts: countRows(payouts, eq(payouts.state, 'approved')),
    // Requests of buyers for a refund to the payment method.
    requestedRefunds: countRequestedRefunds(),
    // Webhook events that could not be processed.
    failedNotifications: db()
      .select({ provider: webhookEvents.provider, mode: webhookEvents.mode, count: count() })
      .from(webhookEvents)
      .where(and(isNull(webhookEvents.processedAt), isNotNull(webhookEvents.error)))
      .groupBy(webhookEvents.provider, webhookEvents.mode)
      .orderBy(webhookEvents.provider, webhookEvents.mode),
    // Invoices and credit notes of the last seven days that were not delivered by Peppol or KSeF.
    undeliveredInvoices: countUndelivered(),
    // Whether the scheduled backup failed or is overdue.
    backupProblem: getBackupSchedule().then(({ problem }) => problem),
    // Rates of the European Central Bank that were not taken, and rates older than a week.
    rates: listRateIssues(),
    // Whether Ahrefs refused the key, so that no domain rating is refreshed.
    isAhrefsKeyRefused: isAhrefsKeyRefused(),
    // Mails of the last seven days whose delivery failed permanently.
    failedMails: countRows(mails, isFailedMail),
  });
}

/** Awaits the values of an object at once. */
async function awaitAll<T extends Record<string, unknown>>(promises: T) {
  const entries = await Promise.all(
    Object.entries(promises).map(async ([name, value]) => [name, await value] as const),
  );
  // `Object.fromEntries` loses the types of the values.
  return Object.fromEntries(entries) as { [Name in keyof T]: Awaited<T[Name]> };
}

/** Lists the mails that `failedMails` counts, newest first, up to 100. Their bodies may contain secrets and are deleted. */
export function listFailedMails() {
  return db()
    .select({
      id: mails.id,
      kind: mails.kind,
      recipient: mails.recipient,
      subject: mails.subject,
      error: mails.error,
      failedAt: mails.failedAt,
      attempts: mails.attempts,
    })
    .from(mails)
    .where(isFailedMail)
    .orderBy(desc(mails.failedAt), desc(mails.id))
    .limit(100);
}

export type WaitingOrders = CappedCount & {
  orders: (OrderView & { unread: number; change: ChangeState | undefined })[];
  tabs: BuyerTabCounts;
};

/** The number of orders that the buyer's dashboard lists. */
const waitingShown = 5;

/** Lists the newest orders that wait for their buyer or have unread messages, and counts all of them, and those of the tabs. */
export async function getWaitingOrders(actor: AccountScope): Promise<WaitingOrders> {
  const [{ rows, total, isCapped }, tabs] = await Promise.all([
    listOrders(actor, { part: 'attention', limit: waitingShown }),
    countBuyerTabs(actor),
  ]);
  const ids = rows.map(({ id }) => id);
  const [unread, changes] = await Promise.all([countUnreadMessages(actor.accountId, ids), listOpenChanges(ids)]);
  return {
    total,
    isCapped,
    tabs,
    orders: rows.map((row) => ({
      ...buyerOrderView(row),
      unread: unread.get(row.id) ?? 0,
      change: changes.get(row.id),
    })),
  };
}
