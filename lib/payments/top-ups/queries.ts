import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { accountMembers } from '@/db/schema/accounts';
import { accountKinds } from '@/db/schema/ledger';
import { type PaymentProviderName, topups } from '@/db/schema/topups';
import { listRolesWith } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { canTopUpIn, getActiveModes, getSandboxUrl } from '@/lib/payments/config/config';
import type { Evidence } from '@/lib/payments/providers/provider';
import { type TopupView, topupView } from './contract';

const row = z
  .object({ key: z.string(), topupId: z.string(), kind: z.enum(accountKinds), isDeleted: z.boolean() })
  .transform(({ key, topupId, kind, isDeleted }) => ({
    key,
    topupId,
    /** The account that holds the money now: deleting a credit moves it to suspense. */
    place: kind === 'wallet' && !isDeleted ? ('wallet' as const) : ('suspense' as const),
    /** A deleted credit is in suspense in the wallet's currency, a payment that never matched in its own currency. */
    isDeleted,
  }));

export type BookedPayment = z.output<typeof row>;

/** Finds a booked payment, or null. A payment released from suspense by an admin counts as its credit. */
export async function findPayment(tx: Executor, provider: PaymentProviderName, paymentReference: string) {
  const [payment = null] = await listPayments(tx, [{ provider, paymentReference }]);
  return payment;
}

/** Lists the booked payments with the given references, by `paymentKey`. */
export async function listPayments(
  tx: Executor,
  payments: readonly { provider: PaymentProviderName; paymentReference: string }[],
): Promise<BookedPayment[]> {
  if (payments.length === 0) return [];
  const rows = await tx.execute(sql`
    select t.key, t.meta->>'topupId' as "topupId", a.kind,
      exists (select from ledger.transfers undone where undone.reverses_id = credit.id) as "isDeleted"
    from ledger.transfers t
    left join ledger.transfers released on released.key = 'release:' || t.id
    join ledger.transfers credit on credit.id = coalesce(released.id, t.id)
    join ledger.accounts a on a.id = credit.to_account
    where t.key in ${payments.map(paymentKey)}`);
  return z.array(row).parse(rows);
}

/** The key of the transfer that books a payment. */
export const paymentKey = (payment: { provider: PaymentProviderName; paymentReference: string }): string =>
  `${payment.provider}:${payment.paymentReference}`;

export type Topup = typeof topups.$inferSelect;

/** Locks a top-up, which serializes every booking of its payments. @throws AppError not_found */
export async function lockTopup(tx: Executor, topupId: string): Promise<Topup> {
  const [topup] = await tx.select().from(topups).where(eq(topups.id, topupId)).for('no key update');
  if (!topup) throw new AppError('not_found', 'This top-up does not exist.');
  return topup;
}

/**
 * Finds the top-up of evidence: by the id sent to the provider; without it, by the provider's reference or by the
 * booked payment.
 */
export async function findTopup(provider: PaymentProviderName, evidence: Evidence): Promise<Topup | null> {
  if (evidence.topupId !== null) return findTopupWhere(provider, eq(topups.id, evidence.topupId));
  if (evidence.about === 'payment') {
    if (evidence.providerReference === null) return null;
    return findTopupWhere(provider, eq(topups.providerReference, evidence.providerReference));
  }
  const payment = await findPayment(db(), provider, evidence.paymentReference);
  return payment && findTopupWhere(provider, eq(topups.id, payment.topupId));
}

async function findTopupWhere(provider: PaymentProviderName, condition: ReturnType<typeof eq>): Promise<Topup | null> {
  const [found] = await db()
    .select()
    .from(topups)
    .where(and(eq(topups.provider, provider), condition))
    .limit(1);
  return found ?? null;
}

/**
 * Returns a top-up of an account in which the user may top up: who pays can switch to another account before the return.
 * @throws AppError not_found, also for a top-up of another account
 */
export async function requireOwnTopup(actor: Actor, topupId: string): Promise<typeof topups.$inferSelect> {
  const payable = db()
    .select({ accountId: accountMembers.accountId })
    .from(accountMembers)
    .where(and(eq(accountMembers.userId, actor.userId), inArray(accountMembers.role, listRolesWith('account:wallet'))));
  const [topup] = await db()
    .select()
    .from(topups)
    .where(and(eq(topups.id, topupId), inArray(topups.accountId, payable)));
  if (!topup) throw new AppError('not_found', 'This top-up does not exist.');
  return topup;
}

/** What a buyer can do with a top-up that waits for its payment. */
export type OpenTopup = {
  id: string;
  /** The page where the buyer pays: of the provider, or a path of this app. Null when it would accept no payment. */
  continueHref: string | null;
};

/**
 * Lists those of a buyer's top-ups that wait for their payment. Their checkouts can be canceled. They can be continued
 * until they expire, in the provider's active mode. WeChat's link that opens its app cannot: it ends after five minutes,
 * and works only on the phone that started it.
 */
export async function listOpenTopups(actor: Actor, ids: readonly string[]): Promise<Map<string, OpenTopup>> {
  if (ids.length === 0) return new Map();
  const [rows, modes] = await Promise.all([
    db()
      .select()
      .from(topups)
      .where(and(inArray(topups.id, [...ids]), eq(topups.accountId, actor.accountId), eq(topups.status, 'pending'))),
    getActiveModes(),
  ]);
  const { APP_URL } = env();
  return new Map(
    rows.map(({ id, provider, mode, checkoutUrl, payCode, expiresAt }) => {
      const isPayable =
        expiresAt.getTime() > Date.now() &&
        modes.get(provider) === mode &&
        canTopUpIn(mode, actor) &&
        (provider !== 'wechat' || payCode !== null);
      const href = checkoutUrl?.startsWith(`${APP_URL}/`) ? checkoutUrl.slice(APP_URL.length) : checkoutUrl;
      return [id, { id, continueHref: isPayable ? href : null }];
    }),
  );
}

/** How long a payment that was not credited is shown, in days, and how many at most. */
const uncreditedDays = 30;
const maxUncredited = 5;

/** Lists a buyer's newest top-ups that brought no money: failed, or paid and in review. */
export const listUncreditedTopups = (accountId: string) =>
  db()
    .select({
      id: topups.id,
      provider: topups.provider,
      status: topups.status,
      amountCents: topups.amountCents,
      createdAt: topups.createdAt,
    })
    .from(topups)
    .where(
      and(
        eq(topups.accountId, accountId),
        inArray(topups.status, ['failed', 'review']),
        sql`${topups.createdAt} > now() - make_interval(days => ${uncreditedDays})`,
      ),
    )
    .orderBy(desc(topups.createdAt), desc(topups.id))
    .limit(maxUncredited);
export type UncreditedTopup = Awaited<ReturnType<typeof listUncreditedTopups>>[number];

/** Data of the page with the QR code. */
export type PayCode = TopupView & {
  /** The content of the QR code. */
  payCode: string;
  /** The charge: integer minor units of `chargeCurrency`. */
  chargeAmountMinor: number;
  chargeCurrency: string;
  /** Millionths of a USD for one unit of the charge currency. */
  rateMicros: number | null;
  /** ISO 8601: the expiry of the code and the rate. */
  expiresAt: string;
  isLive: boolean;
  /** URL of the sandbox's phone simulation, or null. */
  sandboxUrl: string | null;
};

/**
 * Returns the QR code of the user's own top-up.
 * @throws AppError not_found for another user's top-up, and for one without a code
 */
export async function getPayCode(actor: Actor, topupId: string): Promise<PayCode> {
  const topup = await requireOwnTopup(actor, topupId);
  const { payCode, chargeAmountMinor, chargeCurrency, rateMicros, expiresAt, mode } = topup;
  if (payCode === null) throw new AppError('not_found', 'This top-up has no code to scan.');
  return {
    ...topupView(topup),
    payCode,
    chargeAmountMinor,
    chargeCurrency,
    rateMicros,
    expiresAt: expiresAt.toISOString(),
    isLive: mode === 'live',
    sandboxUrl: getSandboxUrl(topup.provider, mode) ?? null,
  };
}
