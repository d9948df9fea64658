import { and, asc, eq, lte, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { settlementLines, settlementPositions } from '@/db/schema/settlement';
import { type AnyActor, systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { env } from '@/lib/env';
import { getActiveModes } from '@/lib/payments/config/config';
import { log } from '@/lib/platform/log/log';
import { bookAccountLine } from './book-account-line';
import { bookTopup } from './book-topup';
import { readStatement, type Statement } from './read-statement';

/** Limits of lines and top-ups per run. */
const maxLines = 1_000;
const maxTopups = 500;
/** Transactions that commit later than this are noticed only with the top-up's next change. */
const overlap = sql`interval '10 minutes'`;

/**
 * Reads and books the statements of the providers in their active modes (docs/internals/ledger.md, "Settlement"). Pages
 * and lines per run are limited, and several instances may run concurrently. A production installation reads live
 * statements only, because test money is never paid out.
 * @returns the number of lines read and checked, and of statements that could not be read
 */
export async function settleStatements(now = new Date()): Promise<{ read: number; checked: number; failed: number }> {
  const actor = systemActor(systemActors.settlement, 'job');
  const counts = { read: 0, checked: 0, failed: 0 };
  const isLiveOnly = env().APP_ENV === 'production';
  for (const [provider, mode] of await getActiveModes()) {
    if (isLiveOnly && mode !== 'live') continue;
    try {
      counts.read += (await readStatement({ provider, mode }, now)) ?? 0;
    } catch (thrown) {
      counts.failed += 1;
      log().warn({ provider, mode, err: thrown }, 'A settlement statement could not be read.');
    }
    counts.checked += await bookDueLines(actor, { provider, mode });
    await bookChangedTopups(actor, { provider, mode });
  }
  return counts;
}

/** Books the due lines. Lines of one top-up are booked together; payouts follow in chronological order. */
async function bookDueLines(actor: AnyActor, { provider, mode }: Statement): Promise<number> {
  const due = await db()
    .select()
    .from(settlementLines)
    .where(
      and(
        eq(settlementLines.provider, provider),
        eq(settlementLines.mode, mode),
        lte(settlementLines.nextCheckAt, sql`now()`),
      ),
    )
    .orderBy(asc(settlementLines.occurredAt), asc(settlementLines.id))
    .limit(maxLines);
  const byTopup = new Set<string>();
  const accountLines: typeof due = [];
  for (const line of due) {
    const topupId = await matchLine(db(), line);
    if (topupId === null) accountLines.push(line);
    else byTopup.add(topupId);
  }
  for (const topupId of byTopup) await bookTopup(actor, topupId);
  // Money of other shops is booked before the payouts that contain it.
  const payouts = accountLines.filter(({ type }) => type === 'payout' || type === 'payout_failure');
  for (const line of [...accountLines.filter((one) => !payouts.includes(one)), ...payouts])
    await bookAccountLine(actor, line.id);
  return due.length;
}

const changed = z.array(z.object({ topup_id: z.string(), seen: z.string() }));

/** Books the top-ups whose payments, refunds or disputes were posted since the last run. */
async function bookChangedTopups(actor: AnyActor, { provider, mode }: Statement): Promise<void> {
  const of = and(eq(settlementPositions.provider, provider), eq(settlementPositions.mode, mode));
  const [position] = await db().select().from(settlementPositions).where(of);
  if (!position) return;
  const since = position.ledgerSeenAt.toISOString();
  const rows = changed.parse(
    await db().execute(sql`
      select t.meta->>'topupId' as topup_id,
        to_char(max(t.created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as seen
      from ledger.accounts a join ledger.transfers t on a.id in (t.from_account, t.to_account)
      where a.kind = 'clearing' and a.owner = ${provider} and t.created_at > ${since}::timestamptz - ${overlap}
        and t.meta->>'topupId' is not null
        and t.kind not in ('provider_fee', 'payout', 'payout_failure', 'exchange')
      group by 1 order by max(t.created_at) limit ${maxTopups}`),
  );
  for (const { topup_id } of rows) await bookTopup(actor, topup_id);
  const last = rows.at(-1);
  if (!last) return;
  await db()
    .update(settlementPositions)
    .set({ ledgerSeenAt: sql`greatest(${settlementPositions.ledgerSeenAt}, ${last.seen}::timestamptz)` })
    .where(of);
}

type Line = typeof settlementLines.$inferSelect;

const found = z.array(z.object({ id: z.string() }));

/**
 * Finds and stores the top-up of a line: the one named by the payment, else the one with this payment, refund or
 * dispute, else that of another line about the same object.
 * @returns null for a payment of another shop on the same account, and for lines of the account itself
 */
async function matchLine(tx: Executor, line: Line): Promise<string | null> {
  if (line.topupId !== null) return line.topupId;
  const { provider, mode, namedTopupId: named, paymentReference: payment } = line;
  const objects = sql.join(
    [payment, line.source].filter((name) => name !== null && name !== '').map((name) => sql`${name}`),
    sql`, `,
  );
  const [match] = found.parse(
    await tx.execute(sql`
      with objects as (select unnest(array[${objects}]::text[]) as name)
      (select id from public.topups where id = ${named}::text and provider = ${provider} and mode = ${mode})
      union all
      (select id from public.topups
        where provider = ${provider} and mode = ${mode} and payment_reference in (select name from objects) limit 1)
      union all
      (select topup_id from public.payment_reversals
        where provider = ${provider} and mode = ${mode}
          and (reference in (select name from objects) or payment_reference in (select name from objects)) limit 1)
      union all
      (select topup_id from public.settlement_lines
        where provider = ${provider} and mode = ${mode} and topup_id is not null
          and (source in (select name from objects) or payment_reference in (select name from objects)) limit 1)
      limit 1`),
  );
  if (!match) return null;
  await tx.update(settlementLines).set({ topupId: match.id }).where(eq(settlementLines.id, line.id));
  return match.id;
}
