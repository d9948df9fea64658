import { and, eq, gte, isNotNull, isNull, lt, ne, or } from 'drizzle-orm';
import { db } from '@/db/client';
import { topups } from '@/db/schema/topups';
import type { Transaction } from '@/db/transaction';
import type { Actor } from '../../access/actor';
import { AppError } from '../../errors';
import { formatMoney, walletCurrency } from '../../money';
import { recordAudit } from '../../platform/audit/record';
import { providerNames } from '../providers/names';
import type { PaymentProvider } from '../providers/provider';
import type { Topup } from './find-topup';
import type { ChargeQuote } from './quote';

/** How long a checkout stays open. Stripe takes 30 minutes to 24 hours. */
const openMs = 60 * 60 * 1000;
/** With less time than that, and a minute for the call, Stripe makes no checkout any more. */
const shortestMs = 31 * 60 * 1000;
/** The reconcile job leaves the buyer this long to pay and to come back by themselves. */
const firstCheckMs = 2 * 60 * 1000;

/** What makes a call a repeat of another: the caller's key, and a hash of everything asked under it. */
export type Repeat = { idempotencyKey: string; requestHash: string };

type Intent = {
  id: string;
  /** Integer USD cents. */
  amountCents: number;
  charge: ChargeQuote;
  /** Null for a call without an Idempotency-Key. */
  repeat: Repeat | null;
};

const soonestEnd = () => new Date(Date.now() + shortestMs);

/**
 * The intent that an earlier call with this key wrote, or null. One that ended, or has too little time left, before a
 * checkout of it was known does not count: like a refused order it can be asked for again.
 * @throws AppError conflict when the key was used for another request
 */
export async function findIntent(
  userId: string,
  { idempotencyKey, requestHash }: Repeat,
  on: Pick<Transaction, 'select'> = db(),
): Promise<Topup | null> {
  const [known] = await on
    .select()
    .from(topups)
    .where(
      and(
        eq(topups.userId, userId),
        eq(topups.idempotencyKey, idempotencyKey),
        or(and(eq(topups.status, 'created'), gte(topups.expiresAt, soonestEnd())), isNotNull(topups.checkoutUrl)),
      ),
    );
  if (!known || known.requestHash === requestHash) return known ?? null;
  const message = 'This Idempotency-Key was used for another top-up.';
  throw new AppError('conflict', message, { fields: { idempotencyKey: message } });
}

/**
 * Writes and commits the intent of a top-up, before the provider is asked.
 * @returns it, or the one of a call with the same key that was first by moments
 * @throws AppError conflict when that one was another request
 */
export async function writeIntent(
  actor: Actor,
  provider: PaymentProvider,
  { id, amountCents, charge, repeat }: Intent,
): Promise<Topup> {
  const money = formatMoney(amountCents, walletCurrency);
  const quoted =
    charge.rateMicros === null ? '' : `, to be paid as ${formatMoney(charge.chargeAmountMinor, charge.chargeCurrency)}`;
  return db().transaction(async (tx) => {
    if (repeat) await freeKey(tx, actor.userId, repeat);
    const [written] = await tx
      .insert(topups)
      .values({
        id,
        userId: actor.userId,
        provider: provider.name,
        mode: provider.mode,
        amountCents,
        currency: walletCurrency,
        ...charge,
        ...repeat,
        providerReference: provider.referenceOf?.(id) ?? null,
        expiresAt: new Date(Date.now() + openMs),
        nextCheckAt: new Date(Date.now() + firstCheckMs),
      })
      .onConflictDoNothing({ target: [topups.userId, topups.idempotencyKey] })
      .returning();
    if (!written) {
      const first = repeat && (await findIntent(actor.userId, repeat, tx));
      if (first) return first;
      throw new AppError('conflict', 'Another try of this top-up failed just now. Please try again.');
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

/** Takes the key from an intent that `findIntent` passes over. */
async function freeKey(tx: Transaction, userId: string, { idempotencyKey }: Repeat): Promise<void> {
  await tx
    .update(topups)
    .set({ idempotencyKey: null })
    .where(
      and(
        eq(topups.userId, userId),
        eq(topups.idempotencyKey, idempotencyKey),
        or(ne(topups.status, 'created'), lt(topups.expiresAt, soonestEnd())),
        isNull(topups.checkoutUrl),
      ),
    );
}
