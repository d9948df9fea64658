import { and, eq, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { type PaymentProviderName, topups } from '../../db/schema/topups';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { requireFlag } from '../flags/read-flags';
import { newId } from '../ids';
import { consumeLimit } from '../limits/consume';
import { formatMoney, walletCurrency } from '../money';
import { providerNames } from '../payments/names';
import { openProvider } from '../payments/open-provider';
import { type Checkout, type CheckoutRequest, type PaymentProvider, ProviderError } from '../payments/provider';
import { checkTopupAmount } from './amount';
import { quoteCharge } from './quote';
import { topupReturnUrls } from './return-urls';

/** How long a checkout stays open. Stripe takes 30 minutes to 24 hours. */
const openMs = 60 * 60 * 1000;
/** The reconcile job leaves the buyer this long to pay and to come back by themselves. */
const firstCheckMs = 2 * 60 * 1000;

type CreateTopupInput = {
  provider: PaymentProviderName;
  /** Integer USD cents. */
  amountCents: number;
  /** The page of ours the buyer comes back to; `cancelUrl` without having paid, by default the same. */
  returnUrl: string;
  cancelUrl?: string | undefined;
  /** On a phone WeChat opens its app instead of showing a code to scan. */
  isMobile?: boolean;
};

/**
 * Starts a top-up: the intent is written and committed first, then the provider is asked, then its answer is stored,
 * so that no payment can exist without its intent, and no database transaction waits for a provider.
 * @returns the top-up's id and the provider's page where the buyer pays
 * @throws AppError invalid_input for the amount or the return address, not_configured, rate_limited (decision 5),
 * provider_failed
 */
export async function createTopup(actor: Actor, input: CreateTopupInput): Promise<{ id: string; url: string }> {
  const amountCents = checkTopupAmount(input.amountCents);
  await requireFlag(`topup-${input.provider}`);
  const id = newId();
  const { successUrl, cancelUrl } = topupReturnUrls(input, id);
  const provider = await openProvider(input.provider);
  await consumeLimit('topup', { account: actor.userId, address: actor.ip });
  const charge = await quoteCharge(provider, amountCents);
  const expiresAt = new Date(Date.now() + openMs);
  const money = formatMoney(amountCents, walletCurrency);
  const quoted =
    charge.rateMicros === null ? '' : `, to be paid as ${formatMoney(charge.chargeAmountMinor, charge.chargeCurrency)}`;

  await db().transaction(async (tx) => {
    await tx.insert(topups).values({
      id,
      userId: actor.userId,
      provider: provider.name,
      mode: provider.mode,
      amountCents,
      currency: walletCurrency,
      ...charge,
      providerReference: provider.referenceOf?.(id) ?? null,
      expiresAt,
      nextCheckAt: new Date(Date.now() + firstCheckMs),
    });
    await recordAudit(tx, actor, {
      action: 'topup.created',
      details: `Top-up of ${money} by ${providerNames[provider.name]} (${provider.mode} mode) started${quoted}.`,
      entityType: 'topup',
      entityId: id,
      amountCents,
    });
  });

  const checkout = await askProvider(actor, provider, {
    topupId: id,
    amountMinor: charge.chargeAmountMinor,
    currency: charge.chargeCurrency,
    description: 'Wallet top-up',
    customerEmail: actor.email,
    buyer: { ip: actor.ip, isMobile: input.isMobile ?? false },
    successUrl,
    cancelUrl,
    expiresAt,
  });
  await db()
    .update(topups)
    .set({
      providerReference: checkout.reference,
      checkoutUrl: checkout.url,
      payCode: checkout.payCode ?? null,
      // A very fast notification may have settled it already.
      status: sql`case when ${topups.status} = 'created' then 'pending' else ${topups.status} end`,
    })
    .where(eq(topups.id, id));
  return { id, url: checkout.url };
}

/** A failure is written down. Should the provider have made the checkout after all and be paid, that still counts. */
async function askProvider(actor: Actor, provider: PaymentProvider, request: CheckoutRequest): Promise<Checkout> {
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
