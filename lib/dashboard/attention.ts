import { and, count, desc, eq, gte, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { mails } from '../../db/schema/mails';
import { orders } from '../../db/schema/orders';
import { sites } from '../../db/schema/sites';
import { type PaymentProviderName, type ProviderMode, topups, webhookEvents } from '../../db/schema/topups';

export type Attention = {
  pendingOrders: number;
  processingOrders: number;
  topupsInReview: number;
  pendingSites: number;
  /** Webhook events that could not be processed. */
  failedNotifications: { provider: PaymentProviderName; mode: ProviderMode; count: number }[];
  /** Mails of the last seven days whose delivery failed permanently. */
  failedMails: number;
};

/** The number of days for which failed mails are shown. */
export const failedMailDays = 7;

const isFailedMail: SQL | undefined = and(
  isNotNull(mails.failedAt),
  gte(mails.failedAt, sql`now() - make_interval(days => ${failedMailDays})`),
);

/** Counts the items that need action by staff. */
export async function getAttention(): Promise<Attention> {
  const [byStatus, [review], [pending], failedNotifications, [failed]] = await Promise.all([
    db()
      .select({ status: orders.status, count: count() })
      .from(orders)
      .where(and(inArray(orders.status, ['Pending', 'Processing']), isNull(orders.deletedAt)))
      .groupBy(orders.status),
    db().select({ count: count() }).from(topups).where(eq(topups.status, 'review')),
    db()
      .select({ count: count() })
      .from(sites)
      .where(and(eq(sites.status, 'Pending'), isNull(sites.deletedAt))),
    db()
      .select({ provider: webhookEvents.provider, mode: webhookEvents.mode, count: count() })
      .from(webhookEvents)
      .where(and(isNull(webhookEvents.processedAt), isNotNull(webhookEvents.error)))
      .groupBy(webhookEvents.provider, webhookEvents.mode)
      .orderBy(webhookEvents.provider, webhookEvents.mode),
    db().select({ count: count() }).from(mails).where(isFailedMail),
  ]);
  const ordersIn = (status: 'Pending' | 'Processing') => byStatus.find((row) => row.status === status)?.count ?? 0;
  return {
    pendingOrders: ordersIn('Pending'),
    processingOrders: ordersIn('Processing'),
    topupsInReview: review?.count ?? 0,
    pendingSites: pending?.count ?? 0,
    failedNotifications,
    failedMails: failed?.count ?? 0,
  };
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
