import { and, desc, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { type SettlementOutcome, settlementLines } from '@/db/schema/settlement';
import type { Transaction } from '@/db/transaction';
import type { AnyActor } from '../../access/actor';
import { postTransfers } from '../../ledger/post-transfer';
import { formatMoney } from '../../money';
import { recordAudit } from '../../platform/audit/record';
import { providerNames } from '../providers/names';
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
    await postTransfers(tx, [
      ...feePostings(line),
      ...(isMove ? payoutPostings(line, passedMinor) : []),
      ...(line.type === 'conversion' ? conversionPostings(line) : []),
    ]);
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
    default:
      return { outcome: 'not_ours', reason: notOurs };
  }
}

/** A returned payout reverses the parts of its payout. */
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
