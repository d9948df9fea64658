import { and, eq, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { topups } from '../../db/schema/topups';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { providerNames } from '../payments/names';
import { type Checkout, type CheckoutRequest, type PaymentProvider, ProviderError } from '../payments/provider';

/**
 * Asks the provider for the checkout of an intent and stores its answer. Asked again for the same intent, also at the
 * same moment, the provider answers with the same checkout.
 * @returns the provider's page where the buyer pays
 * @throws AppError provider_failed
 */
export async function openCheckout(actor: Actor, provider: PaymentProvider, request: CheckoutRequest): Promise<string> {
  const checkout = await askForCheckout(actor, provider, request);
  await db()
    .update(topups)
    .set({
      providerReference: checkout.reference,
      checkoutUrl: checkout.url,
      payCode: checkout.payCode ?? null,
      // A very fast notification may have settled it already.
      status: sql`case when ${topups.status} = 'created' then 'pending' else ${topups.status} end`,
    })
    .where(eq(topups.id, request.topupId));
  return checkout.url;
}

/** A failure is written down. Should the provider have made the checkout after all and be paid, that still counts. */
async function askForCheckout(actor: Actor, provider: PaymentProvider, request: CheckoutRequest): Promise<Checkout> {
  try {
    return await provider.createCheckout(request);
  } catch (thrown) {
    const reason = thrown instanceof ProviderError ? thrown.reason : 'The checkout could not be made.';
    await db().transaction(async (tx) => {
      await tx
        .update(topups)
        .set({ status: 'failed', reason, nextCheckAt: null })
        .where(and(eq(topups.id, request.topupId), eq(topups.status, 'created')));
      await recordAudit(tx, actor, {
        action: 'topup.failed',
        details: `${providerNames[provider.name]} made no checkout: ${reason}`,
        entityType: 'topup',
        entityId: request.topupId,
      });
    });
    throw thrown;
  }
}
