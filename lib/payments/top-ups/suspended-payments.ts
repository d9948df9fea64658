import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { type PaymentProviderName, paymentProviders, providerModes, topupStatuses, topups } from '@/db/schema/topups';
import type { Actor } from '@/lib/access/actor';
import { requireOthersAccount } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { clearingAccount, postTransfer, suspenseAccount, walletAccount } from '@/lib/ledger/post-transfer';
import { settleReceivable } from '@/lib/ledger/receivables';
import { formatUsd, walletCurrency } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import { recordAudit } from '@/lib/platform/audit/record';
import { notifyOwner, recordTopupEvents } from './notify-owner';
import { lockActiveMode } from './settle';

const columns = z.object({
  topup_id: z.string(),
  user_id: z.string(),
  user_name: z.string(),
  user_email: z.string(),
  provider: z.enum(paymentProviders),
  status: z.enum(topupStatuses),
  asked_minor: z.coerce.number().int(),
  asked_currency: z.string(),
  quoted_cents: z.coerce.number().int(),
  reason: z.string().nullable(),
  held_minor: z.coerce.number().int(),
  currency: z.string(),
  arrived: z.coerce.number().int(),
  arrived_minor: z.coerce.number().int(),
  mode: z.enum(providerModes),
  paid_mode: z.string().nullable(),
  mode_in_force: z.string().nullable(),
  transfer_id: z.string(),
  is_deleted: z.boolean(),
  is_foreign: z.boolean(),
  since: z.string(),
});
const row = columns.transform((found) => ({
  topupId: found.topup_id,
  user: { id: found.user_id, name: found.user_name, email: found.user_email },
  provider: found.provider satisfies PaymentProviderName,
  /** The requested charge, in minor units of `requestedCurrency`. */
  requestedMinor: found.asked_minor,
  requestedCurrency: found.asked_currency,
  /** The amount in suspense, in minor units of `currency`. */
  heldMinor: found.held_minor,
  currency: found.currency,
  /** The credit when it is accepted: the amount received, or the quoted amount for another currency. */
  creditCents: found.currency === walletCurrency ? found.held_minor : found.quoted_cents,
  reason: found.is_deleted ? 'An admin deleted its credit.' : (found.reason ?? ''),
  /** ISO 8601 in UTC. */
  since: found.since,
  transferId: found.transfer_id,
  /** The reason why it cannot be credited to the buyer, or null when it can. */
  refusal: getRefusal(found),
}));

/** A payment of a top-up that was received but not credited. */
export type SuspendedPayment = z.output<typeof row>;

/**
 * Lists the payments in the suspense account, oldest first: payments that did not match their top-up, second payments
 * of a top-up, and payments whose credit an admin deleted.
 * @param topupId limits the list to this top-up
 */
export async function listSuspendedPayments(topupId?: string, executor: Executor = db()): Promise<SuspendedPayment[]> {
  const only = topupId === undefined ? sql`` : sql`where t.meta->>'topupId' = ${topupId}`;
  const rows = await executor.execute(sql`
    with moves as (
      select t.id, t.meta->>'topupId' as topup_id, t.currency, t.kind, t.note, t.meta->>'mode' as mode,
        t.meta->>'providerReference' as checkout, t.created_at,
        case when t.to_account = a.id then t.amount_cents else -t.amount_cents end as minor
      from ledger.accounts a join ledger.transfers t on a.kind = 'suspense' and a.id in (t.from_account, t.to_account)
      ${only}
    )
    select p.id as topup_id, u.id as user_id, u.name as user_name, u.email as user_email, p.provider, p.status,
      p.charge_amount_minor as asked_minor, p.charge_currency as asked_currency, p.mode,
      p.amount_cents as quoted_cents,
      (select f.mode from public.payment_modes f where f.provider = p.provider) as mode_in_force,
      coalesce(min(m.note) filter (where m.kind = 'suspense'), p.reason) as reason,
      coalesce(bool_or(m.checkout is distinct from p.provider_reference) filter (where m.kind = 'suspense'), false)
        as is_foreign,
      sum(m.minor) as held_minor, m.currency, count(*) filter (where m.kind = 'suspense')::int as arrived,
      coalesce(sum(m.minor) filter (where m.kind = 'suspense'), 0) as arrived_minor,
      min(m.mode) filter (where m.kind = 'suspense') as paid_mode,
      coalesce(min(m.id) filter (where m.kind = 'suspense'), min(m.id)) as transfer_id,
      bool_or(m.kind = 'reversal') as is_deleted,
      to_char(min(m.created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as since
    from moves m join public.topups p on p.id = m.topup_id join public.accounts u on u.id = p.account_id
    group by p.id, u.id, u.name, u.email, m.currency having sum(m.minor) <> 0
    order by min(m.created_at), p.id limit 500`);
  return z.array(row).parse(rows);
}

function getRefusal(found: z.output<typeof columns>): string | null {
  if (found.is_deleted) return 'Its credit was deleted on purpose. Use a manual top-up to credit it again.';
  if (found.held_minor !== found.arrived_minor) return 'Part of it was already returned at the provider.';
  if (found.status === 'disputed' || found.status === 'refunded') return 'It is disputed or refunded at the provider.';
  if (found.paid_mode !== found.mode) return 'It was paid in a provider mode other than the one requested.';
  if (found.mode !== 'live' && found.mode_in_force === 'live')
    return 'It was paid with test money, which cannot be credited.';
  if (found.is_foreign)
    return 'It was paid through a checkout other than this top-up’s, so it may belong to another user.';
  if (found.status !== 'review' || found.arrived !== 1) {
    return 'This top-up has another payment as well, so this one cannot be credited to the buyer.';
  }
  const matchesRequest = found.currency === found.asked_currency && found.held_minor === found.asked_minor;
  if (found.currency !== walletCurrency && !matchesRequest)
    return `Wallets support ${walletCurrency} only, and this payment is in ${found.currency}.`;
  return null;
}

/**
 * Accepts a payment that did not match its top-up. The amount in suspense is credited to the buyer's wallet, and the
 * top-up's amounts become those of the payment, so that a later refund takes back exactly that. A payment that was
 * quoted in another currency and arrived as quoted is credited with its quote.
 * @throws AppError not_found when no payment is in suspense for it, forbidden for the actor's own top-up, conflict with
 * the reason when it cannot be credited
 */
export async function acceptPayment(actor: Actor, topupId: string): Promise<{ amountCents: number }> {
  return db().transaction(async (tx) => {
    await lockActiveMode(tx, topupId);
    const [topup] = await tx.select().from(topups).where(eq(topups.id, topupId)).for('no key update');
    const [suspended, ...others] = topup ? await listSuspendedPayments(topupId, tx) : [];
    if (!topup || !suspended) throw new AppError('not_found', 'This top-up no longer has an unmatched payment.');
    await requireOthersAccount(tx, actor, topup.accountId, 'accept a payment into your own wallet');
    if (suspended.refusal !== null) throw new AppError('conflict', suspended.refusal);
    if (others.length > 0) throw new AppError('conflict', 'This top-up has unmatched payments in several currencies.');
    const amountCents = suspended.creditCents;
    const isQuoted = suspended.currency !== walletCurrency;
    const name = providerNames[topup.provider];
    const money = formatUsd(amountCents);
    await tx
      .update(topups)
      .set({
        status: 'paid',
        // A payment as quoted keeps the top-up's amounts.
        ...(!isQuoted && { amountCents, chargeAmountMinor: amountCents, chargeCurrency: walletCurrency }),
        reason: `${topup.reason ?? ''} Accepted as received.`.trim(),
        paidAt: new Date(),
      })
      .where(eq(topups.id, topupId));
    await recordAudit(tx, actor, {
      action: 'topup.accepted',
      details:
        `${money} by ${name}, held as unmatched until now, credited to ${suspended.user.email}. ${topup.reason ?? ''}`.trim(),
      entityType: 'topup',
      entityId: topupId,
      amountCents,
      before: { status: topup.status, amountCents: topup.amountCents },
      after: { status: 'paid', amountCents },
    });
    const credited = { ...topup, amountCents, currency: walletCurrency };
    await recordTopupEvents(tx, credited);
    await notifyOwner(tx, actor, 'topup.paid', credited);
    const common = {
      actorId: actor.userId,
      method: name,
      meta: { topupId, provider: topup.provider, mode: topup.mode, paymentReference: topup.paymentReference },
    };
    if (isQuoted) {
      // Wallets hold one currency, so the suspense transfer is reversed and the payment is booked as one that matched
      // its quote.
      await postTransfer(tx, {
        key: `release:${suspended.transferId}:undone`,
        kind: 'reversal',
        from: suspenseAccount,
        to: clearingAccount(topup.provider),
        amountCents: suspended.heldMinor,
        currency: suspended.currency,
        reversesId: suspended.transferId,
        ...common,
        note: 'Credited as quoted',
      });
    }
    await postTransfer(tx, {
      // The key contains the payment, so that it is accepted once.
      key: `release:${suspended.transferId}`,
      kind: 'topup',
      from: isQuoted ? clearingAccount(topup.provider) : suspenseAccount,
      to: walletAccount(topup.accountId),
      amountCents,
      currency: walletCurrency,
      ...common,
      note: `Wallet top-up by ${name}`,
    });
    await settleReceivable(tx, topup.accountId, { cause: `release:${suspended.transferId}`, actorId: actor.userId });
    return { amountCents };
  });
}
