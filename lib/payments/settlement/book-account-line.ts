import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { payouts } from '@/db/schema/payouts';
import { type SettlementOutcome, settlementLines } from '@/db/schema/settlement';
import type { Transaction } from '@/db/transaction';
import type { AnyActor } from '@/lib/access/actor';
import { postTransfers } from '@/lib/ledger/post-transfer';
import { formatMoney } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import { recordAudit } from '@/lib/platform/audit/record';
import { conversionPostings, feePostings, type Line, payoutPostings, scheduleNextCheck } from './postings';

type Booking = { outcome: SettlementOutcome; reason: string | null; passedMinor?: number };

const notOurs = 'It belongs to no top-up of this installation.';

/**
 * Books a statement line without a top-up: payouts, returned payouts, fees and conversions of the account. Payments of
 * other shops on the same account are only marked. An advisory lock serializes the payouts of an account.
 */
export async function bookAccountLine(actor: AnyActor, id: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [found] = await tx.select().from(settlementLines).where(eq(settlementLines.id, id));
    if (!found) return;
    const { provider, mode, currency } = found;
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`settlement:${provider}:${mode}:${currency}`}, 0))`,
    );
    const [line] = await tx.select().from(settlementLines).where(eq(settlementLines.id, id)).for('no key update');
    if (!line || line.outcome === 'booked' || line.topupId !== null) return;
    const { outcome, reason, passedMinor = 0 } = await decideBooking(tx, line);
    await tx
      .update(settlementLines)
      .set({ outcome, reason, passedMinor, ...scheduleNextCheck(line, outcome) })
      .where(eq(settlementLines.id, id));
    if (outcome !== 'booked') return;
    const isMove = line.type === 'payout' || line.type === 'payout_failure';
    const isFeeKnown = line.type === 'seller_payout' || line.type === 'seller_payout_fee';
    const transfers = [
      // The fee of a payout to a seller is booked with the payout.
      ...(isFeeKnown ? [] : feePostings(line)),
      ...(isMove ? payoutPostings(line, passedMinor) : []),
      ...(line.type === 'conversion' ? conversionPostings(line) : []),
    ];
    if (transfers.length === 0) return;
    await postTransfers(tx, transfers);
    await recordAudit(tx, actor, {
      action: isMove ? `settlement.${line.type}` : 'settlement.booked',
      details: `${describeLine(line)} of ${formatMoney(Math.abs(line.netMinor), line.currency)} booked as reported by ${providerNames[provider]}.`,
      entityType: 'settlement_line',
      entityId: id,
    });
  });
}

async function decideBooking(tx: Transaction, line: Line): Promise<Booking> {
  switch (line.type) {
    case 'fee':
      // A fee of a payment is booked with it; other fees belong to the account.
      return line.paymentReference === null
        ? { outcome: 'booked', reason: null }
        : { outcome: 'not_ours', reason: notOurs };
    case 'conversion':
      return { outcome: 'booked', reason: null };
    case 'payout':
      if (line.occurredAt < (await getFirstTopupTime(tx, line))) {
        return { outcome: 'not_ours', reason: 'It was paid out before the first top-up.' };
      }
      return { outcome: 'booked', reason: null, passedMinor: await getPassThroughPart(tx, line) };
    case 'payout_failure':
      return decidePayoutReturn(tx, line);
    case 'seller_payout':
    case 'seller_payout_return':
      return decideSellerPayout(tx, line);
    case 'seller_payout_fee':
      return decideSellerPayoutFees(tx, line);
    default:
      return { outcome: 'not_ours', reason: notOurs };
  }
}

/** Decides on a returned payout, which reverses the parts of its payout. */
async function decidePayoutReturn(tx: Executor, line: Line): Promise<Booking> {
  const { provider, mode, source } = line;
  const [payout] = await tx
    .select()
    .from(settlementLines)
    .where(
      and(
        eq(settlementLines.provider, provider),
        eq(settlementLines.mode, mode),
        eq(settlementLines.source, source),
        eq(settlementLines.type, 'payout'),
      ),
    )
    .orderBy(desc(settlementLines.occurredAt))
    .limit(1);
  if (!payout || payout.outcome === 'open') return { outcome: 'open', reason: 'Its payout is not booked yet.' };
  if (payout.outcome === 'not_ours') return { outcome: 'not_ours', reason: payout.reason };
  return { outcome: 'booked', reason: null, passedMinor: 0 - payout.passedMinor };
}

/**
 * Compares a line of a payout to a seller with the payout, which the provider's own answers have booked. A line of
 * another app on the same account has no payout. A payout without its transaction yet may be the line's.
 */
async function decideSellerPayout(tx: Executor, line: Line): Promise<Booking> {
  const { reference, paymentReference, provider, grossMinor, feeMinor, type } = line;
  const [payout] = await tx
    .select()
    .from(payouts)
    .where(
      and(
        sql`${payouts.methodKind} = ${provider}`,
        inArray(payouts.providerTransactionId, [reference, ...(paymentReference === null ? [] : [paymentReference])]),
      ),
    );
  if (!payout) {
    return (await hasOpenBatch(tx, line))
      ? { outcome: 'open', reason: 'Its payout to a seller is not known yet.' }
      : { outcome: 'not_ours', reason: notOurs };
  }
  const { state, amountCents, feeCents, providerFeeCents } = payout;
  const isMoved = state === 'returned' || (state === 'paid' && type === 'seller_payout');
  if (!isMoved) return { outcome: 'open', reason: `The payout ${payout.id} is ${state} in the books.` };
  if (Math.abs(grossMinor) !== amountCents - feeCents) {
    return { outcome: 'open', reason: `The amount differs from the payout ${payout.id}.` };
  }
  if (type === 'seller_payout' && feeMinor !== 0 && feeMinor !== providerFeeCents) {
    const booked = formatMoney(providerFeeCents, line.currency);
    return { outcome: 'open', reason: `The fee differs from the booked one of the payout ${payout.id}: ${booked}.` };
  }
  return { outcome: 'booked', reason: null };
}

const count = z.tuple([z.object({ count: z.coerce.number() })]);

async function hasOpenBatch(tx: Executor, { provider, mode }: Line): Promise<boolean> {
  const [{ count: open }] = count.parse([
    ...(await tx.execute(sql`
      select count(*) from public.payouts p join public.payout_batches b on b.id = p.batch_id
      where b.kind = ${provider} and b.mode = ${mode} and p.state = 'sent'`)),
  ]);
  return open > 0;
}

/**
 * Compares a line with the fees of a whole batch with the fees of payouts that are booked and are in no other line. The
 * line does not name its batch.
 */
async function decideSellerPayoutFees(tx: Executor, line: Line): Promise<Booking> {
  const { provider, mode } = line;
  const [{ minor: rest }] = sum.parse([
    ...(await tx.execute(sql`
      select coalesce((
          select sum(p.provider_fee_cents) from public.payouts p join public.payout_batches b on b.id = p.batch_id
          where b.kind = ${provider} and b.mode = ${mode}), 0)
        - coalesce((
          select sum(fee_minor) from public.settlement_lines
          where provider = ${provider} and mode = ${mode} and outcome = 'booked' and id <> ${line.id}
            and type in ('seller_payout', 'seller_payout_fee')), 0) as minor`)),
  ]);
  if (line.feeMinor <= rest) return { outcome: 'booked', reason: null };
  return (await hasOpenBatch(tx, line)) || rest > 0
    ? { outcome: 'open', reason: 'The payouts to sellers have no such fees in the books yet.' }
    : { outcome: 'not_ours', reason: notOurs };
}

async function getFirstTopupTime(tx: Executor, { provider, mode }: Line): Promise<Date> {
  const rows = await tx.execute(sql`
    select to_char(date_trunc('second', min(created_at)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at
    from public.topups where provider = ${provider} and mode = ${mode}`);
  const [{ at }] = z.tuple([z.object({ at: z.string() })]).parse([...rows]);
  return new Date(at);
}

const sum = z.tuple([z.object({ minor: z.coerce.number() })]);

/**
 * Computes the part of a payout that belongs to other shops on the same account. Their money is assumed to be paid out
 * first, as far as the statement lists it before the payout. Their balance before the first top-up counts only when it
 * was positive.
 */
async function getPassThroughPart(tx: Executor, line: Line): Promise<number> {
  if (line.grossMinor >= 0) return 0;
  const { provider, mode, currency } = line;
  const first = (await getFirstTopupTime(tx, line)).toISOString();
  const at = line.occurredAt.toISOString();
  const [{ minor }] = sum.parse([
    ...(await tx.execute(sql`
      select greatest(coalesce(sum(net_minor) filter (
            where outcome = 'not_ours' and occurred_at < ${first}::timestamptz), 0), 0)
        + coalesce(sum(net_minor) filter (
            where outcome = 'not_ours' and occurred_at >= ${first}::timestamptz), 0)
        + coalesce(sum(passed_minor) filter (where outcome = 'booked'), 0) as minor
      from public.settlement_lines
      where provider = ${provider} and mode = ${mode} and currency = ${currency}
        and occurred_at <= ${at}::timestamptz and id <> ${line.id}`)),
  ]);
  // A negative sum means that other shops were refunded more than they received; the difference was taken from our
  // money.
  return Math.max(0 - minor, line.grossMinor);
}

function describeLine({ type }: Line): string {
  if (type === 'payout') return 'A payout';
  if (type === 'payout_failure') return 'A returned payout';
  return type === 'fee' ? 'A fee' : 'A conversion';
}
