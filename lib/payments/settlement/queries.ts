import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { type CappedCount, countRows } from '@/db/count-up-to';
import { readInBatches } from '@/db/read-in-batches';
import { readSortedPage } from '@/db/read-sorted-page';
import { settlementLines, settlementOutcomes, settlementPositions } from '@/db/schema/settlement';
import { paymentProviders, providerModes } from '@/db/schema/topups';
import type { Reader } from '@/db/snapshot';
import type { CursorPage, PageRequest } from '@/lib/id-cursor';
import { currencyDecimals, toDecimalString } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import { type CsvColumn, generateCsv } from '@/lib/platform/csv';
import { choiceParam, type Page } from '@/lib/platform/http/fields';

export const defaultSettlementPageSize = 50;

/** The filters of the settlement screen and its export. */
export const settlementFilter = z.object({
  provider: choiceParam(paymentProviders).optional(),
  outcome: choiceParam(settlementOutcomes).optional(),
});
type SettlementFilter = z.output<typeof settlementFilter>;

export type SettlementLine = typeof settlementLines.$inferSelect;

const day = z.object({
  provider: z.enum(paymentProviders),
  mode: z.enum(providerModes),
  currency: z.string(),
  day: z.string(),
  receivedMinor: z.coerce.number(),
  /** Refunds and disputes, less their returns; negative. */
  returnedMinor: z.coerce.number(),
  feesMinor: z.coerce.number(),
  paidOutMinor: z.coerce.number(),
  /** At the end of the day in UTC. */
  owedMinor: z.coerce.number(),
  total: z.coerce.number(),
});
export type SettlementDay = z.output<typeof day>;

/**
 * Lists the statements by provider, currency and day in UTC, newest first: received, returned and paid out amounts, and
 * the amount owed at the end of the day. Lines of other shops do not count.
 */
export async function listSettlementDays(
  { provider }: SettlementFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<SettlementDay>> {
  const rows = await db().execute(sql`
    with daily as (
      select provider, mode, currency, to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD') as day,
        coalesce(sum(gross_minor) filter (where type = 'charge'), 0) as "receivedMinor",
        coalesce(sum(gross_minor) filter (where type in ('refund', 'dispute')), 0) as "returnedMinor",
        sum(fee_minor) as "feesMinor",
        coalesce(sum(passed_minor - gross_minor) filter (where type in ('payout', 'payout_failure', 'seller_payout', 'seller_payout_return')), 0) as "paidOutMinor",
        sum(net_minor - passed_minor) as net
      from public.settlement_lines
      where outcome <> 'not_ours' ${provider ? sql`and provider = ${provider}` : sql``}
      group by 1, 2, 3, 4
    )
    select *, sum(net) over (partition by provider, mode, currency order by day) as "owedMinor", count(*) over () as total
    from daily order by day desc, provider, mode, currency limit ${limit} offset ${offset}`);
  const days = z.array(day).parse(rows);
  return { rows: days, total: days[0]?.total ?? 0 };
}

const owedRow = z.object({ provider: z.enum(paymentProviders), currency: z.string(), minor: z.coerce.number() });

/** Lists the amounts that providers owe by the ledger, including payments that their statements do not list yet. */
export async function listOwedByProviders(): Promise<z.output<typeof owedRow>[]> {
  const rows = await db().execute(sql`
    with parts as (
      select a.owner, a.currency, -r.balance_cents as minor
      from ledger.accounts a join account_rollups r on r.account_id = a.id
      where a.kind = 'clearing'
      union all
      select a.owner, a.currency, case when t.from_account = a.id then t.amount_cents else -t.amount_cents end
      from ledger.transfers_since_rollup() t
      join ledger.accounts a on a.id in (t.from_account, t.to_account)
      where a.kind = 'clearing'
    )
    select owner as provider, currency, sum(minor) as minor from parts
    group by owner, currency order by owner, currency`);
  return z.array(owedRow).parse(rows);
}

export type SettlementPosition = typeof settlementPositions.$inferSelect;

/** Lists the read position of each statement. */
export async function listSettlementPositions(): Promise<SettlementPosition[]> {
  return db().select().from(settlementPositions).orderBy(settlementPositions.provider, settlementPositions.mode);
}

/** Counts the lines that are not booked, up to a cap. */
export const countUnbooked = (): Promise<CappedCount> => countRows(settlementLines, sql`outcome <> 'booked'`);

const buildWhere = ({ provider, outcome }: SettlementFilter): SQL | undefined =>
  and(
    provider ? eq(settlementLines.provider, provider) : undefined,
    outcome ? eq(settlementLines.outcome, outcome) : undefined,
  );
const newestFirst = [desc(settlementLines.occurredAt), desc(settlementLines.id)];

/** Lists a page of the statement lines, newest first, with their number up to a cap. */
export async function listSettlementLines(
  filter: SettlementFilter,
  page: PageRequest,
): Promise<CursorPage<SettlementLine> & CappedCount> {
  const where = buildWhere(filter);
  const { id, occurredAt: value } = settlementLines;
  const [found, counted] = await Promise.all([
    readSortedPage({ id, value, nulls: 'none', order: 'desc', from: settlementLines, where }, page, (range) =>
      db()
        .select()
        .from(settlementLines)
        .where(range.where)
        .orderBy(range.orderBy)
        .limit(range.limit)
        .offset(range.offset),
    ),
    countRows(settlementLines, where),
  ]);
  return { ...found, ...counted };
}

/** Returns the lines after the given one, in the same order, for reading all lines in batches. */
async function listLinesAfter(filter: SettlementFilter, last: SettlementLine | undefined, on: Reader = db()) {
  const { occurredAt, id } = settlementLines;
  // The time of the row itself, because a value of the driver loses its microseconds.
  const further =
    last &&
    sql`(${occurredAt}, ${id}) < ((select before.occurred_at from ${settlementLines} before where before.id = ${last.id}), ${last.id})`;
  return on
    .select()
    .from(settlementLines)
    .where(and(buildWhere(filter), further))
    .orderBy(...newestFirst)
    .limit(batchSize);
}

/** Small enough to read and format a batch within a few milliseconds. */
const batchSize = 250;

/** Returns a number for spreadsheets, which may be negative. */
const amount = (minor: number, { currency }: SettlementLine) =>
  Number(toDecimalString(minor, currencyDecimals(currency)));

const columns: readonly CsvColumn<SettlementLine>[] = [
  ['Time (UTC)', (line) => line.occurredAt.toISOString()],
  ['Provider', (line) => providerNames[line.provider]],
  ['Mode', (line) => line.mode],
  ['Type', (line) => line.type],
  ['Provider type', (line) => line.providerType],
  ['Reference', (line) => line.reference],
  ['Object', (line) => line.source],
  ['Gross', (line) => amount(line.grossMinor, line)],
  ['Fee', (line) => amount(line.feeMinor, line)],
  ['Net', (line) => amount(line.netMinor, line)],
  ['Of other shops', (line) => amount(line.passedMinor, line)],
  ['Currency', (line) => line.currency],
  ['Available on', (line) => line.availableOn?.toISOString() ?? null],
  ['Top-up', (line) => line.topupId],
  ['Outcome', (line) => line.outcome],
  ['Reason', (line) => line.reason],
];

/** Streams the statement lines as CSV (RFC 4180), newest first. */
export const exportSettlement = (filter: SettlementFilter, on?: Reader): AsyncGenerator<string> =>
  generateCsv(
    columns,
    readInBatches(batchSize, (last) => listLinesAfter(filter, last, on)),
  );
