import { and, count, desc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { type PaymentProviderName, type ProviderMode, topups, webhookEvents } from '@/db/schema/topups';
import { providerNames } from '../providers/names';
import type { CollectionRefusal } from '../providers/provider';

const shown = 5;

/**
 * What went wrong with a provider in one mode and is not over: notifications that could not be processed, open top-ups
 * that it could not be asked about, and those that failed because of our account there. The newest few with why. Both are tried again by themselves for a while;
 * a notification also when its provider sends it again.
 */
export async function findTroubles(provider: PaymentProviderName, mode: ProviderMode) {
  const stuck = and(
    eq(webhookEvents.provider, provider),
    eq(webhookEvents.mode, mode),
    isNull(webhookEvents.processedAt),
    isNotNull(webhookEvents.error),
  );
  const unasked = and(
    eq(topups.provider, provider),
    eq(topups.mode, mode),
    or(and(inArray(topups.status, ['created', 'pending']), isNotNull(topups.reason)), failedByAccount()),
  );
  const [[events], newest, [waiting], reasons] = await Promise.all([
    db().select({ count: count() }).from(webhookEvents).where(stuck),
    db()
      .select({
        id: webhookEvents.id,
        type: webhookEvents.type,
        at: webhookEvents.receivedAt,
        why: webhookEvents.error,
      })
      .from(webhookEvents)
      .where(stuck)
      .orderBy(desc(webhookEvents.id))
      .limit(shown),
    db().select({ count: count() }).from(topups).where(unasked),
    db()
      .select({ id: topups.id, at: topups.createdAt, why: topups.reason })
      .from(topups)
      .where(unasked)
      .orderBy(desc(topups.id))
      .limit(shown),
  ]);
  return {
    notifications: { count: events?.count ?? 0, newest },
    topups: { count: waiting?.count ?? 0, newest: reasons },
  };
}

export type Troubles = Awaited<ReturnType<typeof findTroubles>>;

/** Begins the reason of a top-up that failed because of our account at the provider. */
const accountProblem = 'Account problem: ';

/** Why the provider did not collect a payment, for staff, with the provider's own code. */
export function refusalReason(provider: PaymentProviderName, { kind, code }: CollectionRefusal): string {
  const name = providerNames[provider];
  const what = `${name} refused to collect the payment: ${code}.`;
  switch (kind) {
    case 'merchant_action':
      return `${accountProblem}${what} Check the account and its permissions at ${name}.`;
    case 'payer_action':
      return `${what} The buyer has to go back to ${name} and choose another way to pay.`;
    case 'temporary':
      return `${what} The request is repeated.`;
    case 'final':
      return what;
  }
}

/** Top-ups of the last seven days that failed because of our account at the provider. */
const failedByAccount = () =>
  sql`(${topups.status} = 'failed' and starts_with(${topups.reason}, ${accountProblem})
    and ${topups.updatedAt} > now() - interval '7 days')`;
