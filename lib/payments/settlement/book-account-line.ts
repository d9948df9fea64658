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
import { conversionPostings, feePostings, type Line, nextCheck, payoutPostings } from './postings';

type Booking = { outcome: SettlementOutcome; reason: string | null; passedMinor?: number };

const notOurs = 'It belongs to no top-up of this installation.';

/**
 * Books a line that belongs to no top-up: payouts, their return, fees and conversions of the account. Payments of other
 * shops at the same account are only marked. Payouts of one account are booked one at a time, by an advisory lock.
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
    const { outcome, reason, passedMinor = 0 } = await decide(tx, line);
    await tx
      .update(settlementLines)
      .set({ outcome, reason, passedMinor, ...nextCheck(line, outcome) })
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
      details: `${wordsOf(line)} of ${formatMoney(Math.abs(line.netMinor), line.currency)} booked as ${providerNames[provider]} states it.`,
      entityType: 'settlement_line',
      entityId: id,
    });
  });
}

async function decide(tx: Transaction, line: Line): Promise<Booking> {
  switch (line.type) {
    case 'fee':
      // A fee for a payment goes with it; the others are the account's.
      return line.paymentReference === null
        ? { outcome: 'booked', reason: null }
        : { outcome: 'not_ours', reason: notOurs };
    case 'conversion':
      return { outcome: 'booked', reason: null };
    case 'payout':
      if (line.occurredAt < (await firstTopupAt(tx, line))) {
        return { outcome: 'not_ours', reason: 'It was paid out before the first top-up.' };
      }
      return { outcome: 'booked', reason: null, passedMinor: await foreignPart(tx, line) };
    case 'payout_failure':
      return returned(tx, line);
    default:
      return { outcome: 'not_ours', reason: notOurs };
  }
}

/** The return of a payout takes back what the payout moved, in the same parts. */
async function returned(tx: Executor, line: Line): Promise<Booking> {
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

async function firstTopupAt(tx: Executor, { provider, mode }: Line): Promise<Date> {
  const rows = await tx.execute(sql`
    select to_char(date_trunc('second', min(created_at)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at
    from public.topups where provider = ${provider} and mode = ${mode}`);
  const [{ at }] = z.tuple([z.object({ at: z.string() })]).parse([...rows]);
  return new Date(at);
}

const sum = z.tuple([z.object({ minor: z.coerce.number() })]);

/**
 * How much of a payout is money of other shops at the same account: it is paid out first, as far as the statement lists
 * it before the payout. What stood there before the first top-up counts only where it was a credit.
 */
async function foreignPart(tx: Executor, line: Line): Promise<number> {
  if (line.grossMinor >= 0) return 0;
  const { provider, mode, currency } = line;
  const first = (await firstTopupAt(tx, line)).toISOString();
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
  // Below zero, other shops were refunded more than they were paid: what is missing was taken from our money.
  return Math.max(0 - minor, line.grossMinor);
}

function wordsOf({ type }: Line): string {
  if (type === 'payout') return 'A payout';
  if (type === 'payout_failure') return 'A returned payout';
  return type === 'fee' ? 'A fee' : 'A conversion';
}
