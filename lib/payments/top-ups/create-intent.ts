import { and, eq, gte, isNotNull, isNull, lt, ne, or } from 'drizzle-orm';
import { db } from '@/db/client';
import { topups } from '@/db/schema/topups';
import type { Transaction } from '@/db/transaction';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { convertFromUsdCents, formatMoney, formatUsd, walletCurrency } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import type { PaymentProvider } from '@/lib/payments/providers/provider';
import { recordAudit } from '@/lib/platform/audit/record';
import { getExchangeRates } from '@/lib/settings/exchange-rates';
import type { Topup } from './queries';

type ChargeQuote = {
  /** Integer minor units of `chargeCurrency`. */
  chargeAmountMinor: number;
  chargeCurrency: string;
  /** Millionths of a USD for one unit of the charge currency; null where it is USD itself. */
  rateMicros: number | null;
};

/**
 * Returns the charge for an amount in the wallet's currency. The quote is stored with the top-up and valid until it
 * expires: the payment is checked against it, and the wallet is credited with the requested amount.
 * @param amountCents integer USD cents
 * @throws AppError not_configured when the exchange rate is missing
 */
export async function quoteCharge(
  { name, currency }: Pick<PaymentProvider, 'name' | 'currency'>,
  amountCents: number,
): Promise<ChargeQuote> {
  if (currency === walletCurrency) {
    return { chargeAmountMinor: amountCents, chargeCurrency: currency, rateMicros: null };
  }
  const rateMicros = (await getExchangeRates()).get(currency);
  if (!rateMicros) {
    throw new AppError(
      'not_configured',
      `${providerNames[name]} charges in ${currency}, and there is no exchange rate for it yet. Please choose another method.`,
    );
  }
  return { chargeAmountMinor: convertFromUsdCents(amountCents, rateMicros), chargeCurrency: currency, rateMicros };
}

/** Minimum and maximum of one top-up in USD cents. */
const topupLimits = { minCents: 100, maxCents: 10_000_000 } as const;

/**
 * Validates the amount of a top-up.
 * @param cents the result of `parseMoney`; null for an invalid number
 * @returns the same integer USD cents
 * @throws AppError invalid_input with the text for the amount field
 */
export function requireTopupAmount(cents: number | null): number {
  if (cents === null || !Number.isSafeInteger(cents) || cents < topupLimits.minCents) {
    throw invalidAmount('Please enter at least $1.00');
  }
  if (cents > topupLimits.maxCents) {
    throw invalidAmount(`Please enter at most ${formatUsd(topupLimits.maxCents)}`);
  }
  return cents;
}

const invalidAmount = (message: string) => new AppError('invalid_input', message, { fields: { amount: message } });

/** Lifetime of a checkout. Stripe accepts 30 minutes to 24 hours. */
const openMs = 60 * 60 * 1000;
/** Minimum remaining lifetime: Stripe's 30 minutes and a minute for the request. */
const minOpenMs = 31 * 60 * 1000;
/** Time for the buyer to pay and return before the first check by the reconcile job. */
const firstCheckMs = 2 * 60 * 1000;

/** Identifies a repeated request: the caller's key, and a hash of the request's parameters. */
export type IdempotentRequest = { idempotencyKey: string; requestHash: string };

type Intent = {
  id: string;
  /** Integer USD cents. */
  amountCents: number;
  charge: ChargeQuote;
  /** Null for a call without an Idempotency-Key. */
  repeat: IdempotentRequest | null;
};

const getMinExpiry = () => new Date(Date.now() + minOpenMs);

/**
 * Finds the intent of an earlier request with this key, or null. An intent that ended, or has too little time left,
 * before its checkout was known does not count: it can be requested again.
 * @throws AppError conflict when the key was used for another request
 */
export async function findIntent(
  accountId: string,
  { idempotencyKey, requestHash }: IdempotentRequest,
  on: Pick<Transaction, 'select'> = db(),
): Promise<Topup | null> {
  const [known] = await on
    .select()
    .from(topups)
    .where(
      and(
        eq(topups.accountId, accountId),
        eq(topups.idempotencyKey, idempotencyKey),
        or(and(eq(topups.status, 'created'), gte(topups.expiresAt, getMinExpiry())), isNotNull(topups.checkoutUrl)),
      ),
    );
  if (!known || known.requestHash === requestHash) return known ?? null;
  const message = 'This Idempotency-Key was already used for another top-up.';
  throw new AppError('conflict', message, { fields: { idempotencyKey: message } });
}

/**
 * Creates and commits the intent of a top-up, before the request to the provider.
 * @returns the intent, or that of a concurrent request with the same key
 * @throws AppError conflict when the key was used for another request
 */
export async function createIntent(
  actor: Actor,
  provider: PaymentProvider,
  { id, amountCents, charge, repeat }: Intent,
): Promise<Topup> {
  const money = formatUsd(amountCents);
  const quoted =
    charge.rateMicros === null ? '' : `, to be paid as ${formatMoney(charge.chargeAmountMinor, charge.chargeCurrency)}`;
  return db().transaction(async (tx) => {
    if (repeat) await releaseKey(tx, actor.accountId, repeat);
    const [written] = await tx
      .insert(topups)
      .values({
        id,
        accountId: actor.accountId,
        provider: provider.name,
        mode: provider.mode,
        amountCents,
        currency: walletCurrency,
        ...charge,
        ...repeat,
        providerReference: provider.getReference?.(id) ?? null,
        expiresAt: new Date(Date.now() + openMs),
        nextCheckAt: new Date(Date.now() + firstCheckMs),
      })
      .onConflictDoNothing({ target: [topups.accountId, topups.idempotencyKey] })
      .returning();
    if (!written) {
      const first = repeat && (await findIntent(actor.accountId, repeat, tx));
      if (first) return first;
      throw new AppError('conflict', 'Another attempt at this top-up just failed. Please try again.');
    }
    await recordAudit(tx, actor, {
      action: 'topup.created',
      details: `Top-up of ${money} by ${providerNames[provider.name]} (${provider.mode} mode) started${quoted}.`,
      entityType: 'topup',
      entityId: id,
      amountCents,
    });
    return written;
  });
}

/** Releases the key of an intent that `findIntent` ignores. */
async function releaseKey(tx: Transaction, accountId: string, { idempotencyKey }: IdempotentRequest): Promise<void> {
  await tx
    .update(topups)
    .set({ idempotencyKey: null })
    .where(
      and(
        eq(topups.accountId, accountId),
        eq(topups.idempotencyKey, idempotencyKey),
        or(ne(topups.status, 'created'), lt(topups.expiresAt, getMinExpiry())),
        isNull(topups.checkoutUrl),
      ),
    );
}
