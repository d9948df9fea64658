import { and, eq, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { topups } from '../../db/schema/topups';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';
import { providerNames } from '../payments/names';
import {
  type Checkout,
  type CheckoutRequest,
  isInProgress,
  type PaymentProvider,
  ProviderError,
} from '../payments/provider';
import type { Topup } from './find-topup';

type Intent = {
  /** As this call wrote or joined it. */
  topup: Topup;
  /** Written by this call: only then may its failure end it. */
  isOwn: boolean;
};

/** What failed before its checkout was known: now that there is one, it is open, and has to be asked about. */
const isRevived = sql`(${topups.status} = 'failed' and ${topups.checkoutUrl} is null
  and ${topups.paymentReference} is null)`;

/**
 * Asks the provider for the checkout of an intent and stores its answer. Asked again for the same intent, the provider
 * answers with the same checkout, or refuses while an earlier call still waits for it.
 * @returns the provider's page where the buyer pays
 * @throws AppError provider_failed, conflict while another call for this intent is under way
 */
export async function openCheckout(
  actor: Actor,
  provider: PaymentProvider,
  { topup, isOwn }: Intent,
  request: CheckoutRequest,
): Promise<string> {
  const { id } = topup;
  let checkout: Checkout;
  try {
    checkout = await provider.createCheckout(request);
  } catch (thrown) {
    const [now] = await db().select({ url: topups.checkoutUrl }).from(topups).where(eq(topups.id, id));
    if (now?.url) return now.url;
    const isEnded = isOwn && (await writeFailure(actor, provider, topup, thrown));
    // Where nobody joined, what is under way over there is this call's own first try: the provider is slow, no more.
    if (isInProgress(thrown) && !isEnded) {
      throw new AppError('conflict', 'This top-up is being started already. Please wait a moment and try again.');
    }
    throw thrown;
  }
  await db()
    .update(topups)
    .set({
      providerReference: checkout.reference,
      checkoutUrl: checkout.url,
      // A repeat from a phone gets none, and the page of the first still shows its own.
      ...(checkout.payCode !== undefined && { payCode: checkout.payCode }),
      // A very fast notification may have settled it already.
      status: sql`case when ${topups.status} = 'created' or ${isRevived} then 'pending' else ${topups.status} end`,
      reason: sql`case when ${isRevived} then null else ${topups.reason} end`,
      nextCheckAt: sql`case when ${isRevived} then now() + interval '2 minutes' else ${topups.nextCheckAt} end`,
    })
    .where(eq(topups.id, id));
  return checkout.url;
}

/**
 * A failure is written down, unless a repeat joined the intent and waits for the provider as well. Should the provider
 * have made the checkout after all and be paid, that still counts.
 * @returns whether it was
 */
async function writeFailure(actor: Actor, provider: PaymentProvider, topup: Topup, thrown: unknown): Promise<boolean> {
  const reason = thrown instanceof ProviderError ? thrown.reason : 'The checkout could not be made.';
  const { id, nextCheckAt } = topup;
  const isUntouched = nextCheckAt === null ? sql`${topups.nextCheckAt} is null` : eq(topups.nextCheckAt, nextCheckAt);
  return db().transaction(async (tx) => {
    const failed = await tx
      .update(topups)
      .set({ status: 'failed', reason, nextCheckAt: null })
      .where(and(eq(topups.id, id), eq(topups.status, 'created'), isUntouched))
      .returning({ id: topups.id });
    if (failed.length === 0) return false;
    await recordAudit(tx, actor, {
      action: 'topup.failed',
      details: `${providerNames[provider.name]} made no checkout: ${reason}`,
      entityType: 'topup',
      entityId: id,
    });
    return true;
  });
}
