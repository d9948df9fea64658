import { and, asc, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { settlementLines } from '@/db/schema/settlement';
import { topups } from '@/db/schema/topups';
import type { AnyActor } from '@/lib/access/actor';
import { postTransfers } from '@/lib/ledger/post-transfer';
import { formatMoney } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import { recordAudit } from '@/lib/platform/audit/record';
import { exchangePosting, feePostings, type Line, scheduleNextCheck } from './postings';

const legs = z.array(
  z.object({
    currency: z.string(),
    /** The effect of the top-up's payments, refunds and disputes on the clearing account. */
    paid: z.coerce.number(),
    exchanged: z.coerce.number(),
    exchanges: z.coerce.number(),
  }),
);

/**
 * Books the statement lines of a top-up: the fee of each line, and an exchange when the provider holds the money in
 * another currency than the ledger. Then compares, in each currency, what the provider owes for the top-up by the
 * ledger with its statement. Lines stay open until both agree. Holds the top-up's row lock, like every booking of its
 * payments. Idempotent.
 */
export async function bookTopup(actor: AnyActor, topupId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [topup] = await tx.select().from(topups).where(eq(topups.id, topupId)).for('no key update');
    const lines = await tx
      .select()
      .from(settlementLines)
      .where(eq(settlementLines.topupId, topupId))
      .orderBy(asc(settlementLines.occurredAt), asc(settlementLines.id));
    const [first] = lines;
    if (!topup || !first) return;
    const statementTotals = new Map<string, number>();
    for (const { currency, grossMinor } of lines)
      statementTotals.set(currency, (statementTotals.get(currency) ?? 0) + grossMinor);
    const booked = await listLegs(tx, topupId, topup.provider);
    const exchanges = createExchangePostings(first, topupId, statementTotals, booked);
    const reason = exchanges.length > 0 ? null : describeDifference(statementTotals, booked);

    for (const line of lines) await updateLine(tx, line, reason);
    const results = await postTransfers(tx, [...lines.flatMap(feePostings), ...exchanges]);
    const added = results.filter(({ replayed }) => !replayed).length;
    if (added === 0) return;
    await recordAudit(tx, actor, {
      action: 'settlement.booked',
      details: `Fees and settlement of a top-up booked as reported by ${providerNames[topup.provider]}: ${added} ${added === 1 ? 'transfer' : 'transfers'}.`,
      entityType: 'topup',
      entityId: topupId,
    });
  });
}

type Leg = z.output<typeof legs>[number];

async function listLegs(tx: Executor, topupId: string, provider: string): Promise<Leg[]> {
  const rows = await tx.execute(sql`
    with moves as (
      select t.currency, t.kind, case when t.to_account = a.id then t.amount_cents else -t.amount_cents end as minor
      from ledger.transfers t
      join ledger.accounts a on a.kind = 'clearing' and a.owner = ${provider} and a.id in (t.from_account, t.to_account)
      where t.meta->>'topupId' = ${topupId} and t.kind not in ('provider_fee', 'payout', 'payout_failure')
    )
    select currency, coalesce(sum(minor) filter (where kind <> 'exchange'), 0) as paid,
      coalesce(sum(minor) filter (where kind = 'exchange'), 0) as exchanged,
      count(*) filter (where kind = 'exchange') as exchanges
    from moves group by currency order by currency`);
  return legs.parse(rows);
}

/**
 * Creates the transfers that adjust each currency's clearing account to the statement, when the ledger has the top-up
 * in a currency that the statement does not list. A difference within one currency is never exchanged.
 */
function createExchangePostings(
  line: Line,
  topupId: string,
  statementTotals: ReadonlyMap<string, number>,
  booked: readonly Leg[],
) {
  const paid = booked.filter((leg) => leg.paid !== 0 || leg.exchanges > 0);
  if (paid.every(({ currency }) => statementTotals.has(currency))) return [];
  return [...new Set([...statementTotals.keys(), ...paid.map(({ currency }) => currency)])].flatMap((currency) => {
    const leg = booked.find((one) => one.currency === currency) ?? { paid: 0, exchanged: 0, exchanges: 0 };
    // Money held by the provider is negative in the clearing account.
    const clearingMinor = -(statementTotals.get(currency) ?? 0) - leg.paid - leg.exchanged;
    if (clearingMinor === 0) return [];
    return [exchangePosting(line, { topupId, currency, clearingMinor, part: leg.exchanges + 1 })];
  });
}

/** Returns why the ledger and the statement differ for a top-up, or null when they agree. */
function describeDifference(statementTotals: ReadonlyMap<string, number>, booked: readonly Leg[]): string | null {
  if (booked.length === 0) return 'The books contain no payment for this top-up yet.';
  for (const currency of new Set([...statementTotals.keys(), ...booked.map((leg) => leg.currency)])) {
    const leg = booked.find((one) => one.currency === currency);
    const byBooks = -((leg?.paid ?? 0) + (leg?.exchanged ?? 0));
    const byStatement = statementTotals.get(currency) ?? 0;
    if (byBooks !== byStatement) {
      return `The books show ${formatMoney(byBooks, currency)} of this top-up at the provider, its statement ${formatMoney(byStatement, currency)}.`;
    }
  }
  return null;
}

async function updateLine(tx: Executor, line: Line, reason: string | null): Promise<void> {
  const outcome = reason === null ? 'booked' : 'open';
  if (line.outcome === outcome && line.reason === reason && outcome === 'booked') return;
  await tx
    .update(settlementLines)
    .set({ outcome, reason, ...scheduleNextCheck(line, outcome) })
    .where(and(eq(settlementLines.id, line.id)));
}
