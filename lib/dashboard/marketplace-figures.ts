import { and, gte, lt, not, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { linkWatches } from '@/db/schema/links';
import { orderChanges } from '@/db/schema/order-changes';
import { orders } from '@/db/schema/orders';
import { isLate, isToPublish, placements } from '@/db/schema/placements';
import { orderOptions } from '@/db/schema/site-options';
import { allFlows } from '@/lib/ledger/moves';
import { toDecimalString, walletCurrency } from '@/lib/money';
import { type CsvColumn, generateCsv } from '@/lib/platform/csv';
import { currentDay, shiftDay, signOf, startOf } from './money-figures';

/** The longest period in days: five years. */
const longestPeriod = 5 * 366;
const defaultDays = 30;

const dayMessage = 'Use a date from 2000-01-01 to 2100-12-31.';
/** A day in UTC. */
const moneyDay = z.iso
  .date({ error: dayMessage, abort: true })
  .refine((day) => day >= '2000-01-01' && day <= '2100-12-31', { error: dayMessage, abort: true })
  .optional();

/** The day of the overview of cash. */
export const positionQuery = z.object({ day: moneyDay });

type Reader = Pick<Executor, 'execute'>;

type Days = { from?: string | undefined; to?: string | undefined };

/** Returns the first and last day of a period: the last 30 days unless they are given. */
export function resolvePeriod({ from, to = currentDay() }: Days): Period {
  return { from: from ?? shiftDay(to, 1 - defaultDays), to };
}
export type Period = { from: string; to: string };

const lengthOf = ({ from, to }: Period) => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;

/** The period of the marketplace's figures: the first and last day, inclusive. */
export const periodQuery = z.object({ from: moneyDay, to: moneyDay }).superRefine((days, context) => {
  const length = lengthOf(resolvePeriod(days));
  const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['from'], message });
  if (length < 1) refuse('The first day must not be after the last day.');
  if (length > longestPeriod) refuse('Use a period of at most five years.');
});

/** The figures of a period. Amounts in USD cents. */
export type MarketplaceSums = {
  /** What buyers paid for orders that were placed in the period, before refunds, and the number of these orders. */
  gmvCents: number;
  orders: number;
  /** What orders returned to wallets, less what was charged again. */
  refundsCents: number;
  /** What the platform earned, and what sellers earned, less what they returned. */
  marginCents: number;
  earnedCents: number;
  /** Deliveries that were due, and those of them that were not made in time. */
  due: number;
  late: number;
  /** Links that were not repaired in time. */
  lost: number;
};
type MarketplaceDay = MarketplaceSums & { day: string };

const cents = z.coerce.number();
const flowRow = z.object({
  day: z.string(),
  gmvCents: cents,
  orders: cents,
  refundsCents: cents,
  marginCents: cents,
  earnedCents: cents,
});
const deliveryRow = z.object({ day: z.string(), due: cents, late: cents });
const additionRow = z.object({ day: z.string(), added: cents });
const lossRow = z.object({ day: z.string(), lost: cents });

/** Returns the figures of a period and of the period of the same length before it, and of each day, the oldest first. */
export async function getMarketplaceFigures({ from, to }: Period, on: Reader = db()) {
  const length = lengthOf({ from, to });
  const before = { from: shiftDay(from, -length), to: shiftDay(from, -1) };
  const all = await readDays({ from: before.from, to }, on);
  const days = all.slice(length);
  const earlierDays = all.slice(0, length);
  return { period: addUp(days), before: { ...before, ...addUp(earlierDays) }, days, earlierDays };
}
export type MarketplaceFigures = Awaited<ReturnType<typeof getMarketplaceFigures>>;

const nothing: MarketplaceSums = {
  ...{ gmvCents: 0, orders: 0, refundsCents: 0, marginCents: 0, earnedCents: 0 },
  ...{ due: 0, late: 0, lost: 0 },
};

/** Adds the figures of several days. */
export function addUp(days: readonly MarketplaceSums[]): MarketplaceSums {
  return days.reduce(
    (sum, one) => ({
      gmvCents: sum.gmvCents + one.gmvCents,
      orders: sum.orders + one.orders,
      refundsCents: sum.refundsCents + one.refundsCents,
      marginCents: sum.marginCents + one.marginCents,
      earnedCents: sum.earnedCents + one.earnedCents,
      due: sum.due + one.due,
      late: sum.late + one.late,
      lost: sum.lost + one.lost,
    }),
    nothing,
  );
}

/** Returns what orders moved on each day of a period by the books. A day without such transfers is left out. */
async function readFlowDays({ from, to }: Period, on: Reader = db()) {
  const sum = (figure: string) => sql`coalesce(sum(${signOf(figure)} * amount_cents), 0)`;
  const rows = await on.execute(sql`
    select day::text as day, ${sum('gmv')} as "gmvCents", ${sum('refunds')} as "refundsCents",
      coalesce(sum(entries) filter (where kind = 'order'), 0) as orders, ${sum('revenue')} as "marginCents",
      ${sum('earned')} as "earnedCents"
    from (${allFlows}) as flows
    where day between ${from}::date and ${to}::date and currency = ${walletCurrency}
      and ('revenue' in (from_kind, to_kind) or 'reserved' in (from_kind, to_kind))
    group by day`);
  return indexByDay(flowRow, rows);
}

const indexByDay = <Row extends { day: string }>(row: z.ZodType<Row>, rows: unknown): ReadonlyMap<string, Row> =>
  new Map(
    z
      .array(row)
      .parse(rows)
      .map((one) => [one.day, one]),
  );

async function readDays(period: Period, on: Reader): Promise<MarketplaceDay[]> {
  const dayOf = (time: SQL) => sql`(${time} at time zone 'UTC')::date`;
  const [byFlow, additions, deliveries, losses] = await Promise.all([
    readFlowDays(period, on),
    // Paid changes and extensions of a guarantee move as orders do, and are none.
    on.execute(sql`
      select ${dayOf(sql`at`)}::text as day, count(*) as added from (
        select ${orderChanges.chargedAt} as at from ${orderChanges}
        where ${isInPeriod(orderChanges.chargedAt, period)} and ${orderChanges.sellerCents} + ${orderChanges.marginCents} > 0
        union all
        select ${orderOptions.createdAt} from ${orderOptions}
        where ${isInPeriod(orderOptions.createdAt, period)} and ${orderOptions.isExtension} and ${orderOptions.chargedCents} > 0
      ) as additions group by 1`),
    on.execute(sql`
      select day::text, count(*) as due, count(*) filter (where is_late) as late
      from (
        select order_id, ${dayOf(sql`delivery_due_at`)} as day, is_late from (${selectDue(period)}) as due
        where ${isPresent(sql`order_id`)}
      ) as deliveries group by day`),
    on.execute(sql`
      select ${dayOf(sql`${linkWatches.endedAt}`)}::text as day, count(*) as lost
      from ${linkWatches} where ${wasLostIn(period)} and ${isPresent(sql`${linkWatches.orderId}`)} group by 1`),
  ]);
  const [byDelivery, byLoss] = [indexByDay(deliveryRow, deliveries), indexByDay(lossRow, losses)];
  const byAddition = indexByDay(additionRow, additions);
  return Array.from({ length: lengthOf(period) }, (_, index) => {
    const day = shiftDay(period.from, index);
    const flows = byFlow.get(day);
    const ordered = (flows?.orders ?? 0) - (byAddition.get(day)?.added ?? 0);
    return { ...nothing, ...flows, orders: ordered, ...byDelivery.get(day), ...byLoss.get(day), day };
  });
}

/** Builds the condition for a time in a period. */
const isInPeriod = (time: PgColumn, { from, to }: Period) =>
  and(gte(time, startOf(from)), lt(time, startOf(shiftDay(to, 1))));

/** Builds the condition for an order that is not deleted. Deleted orders are few: their index is read, and no order. */
const isPresent = (orderId: SQL) =>
  sql`not exists (select from ${orders} where ${orders.id} = ${orderId} and ${orders.deletedAt} is not null)`;

const isDueIn = ({ from, to }: Period) =>
  and(
    gte(placements.deliveryDueAt, startOf(from)),
    lt(placements.deliveryDueAt, sql`least(${startOf(shiftDay(to, 1))}, now())`),
  );

/** Builds the condition for placements whose delivery was due in a period: those to publish and others, by an index each. */
export const wasDueIn = (period: Period) =>
  or(and(isToPublish, isDueIn(period)), and(not(isToPublish), isDueIn(period)));

/** Selects these placements. Those that are still to publish are late, so they are read from their index alone. */
const selectDue = (period: Period): SQL => sql`
  select order_id, delivery_due_at, true as is_late from ${placements} where ${and(isToPublish, isDueIn(period))}
  union all
  select order_id, delivery_due_at, ${isLate(sql`${placements}`)} from ${placements}
  where ${and(not(isToPublish), isDueIn(period))}`;

/** Builds the condition for links that were lost in a period. */
export const wasLostIn = ({ from, to }: Period) =>
  and(
    sql`${linkWatches.endReason} = 'lost'`,
    gte(linkWatches.endedAt, startOf(from)),
    lt(linkWatches.endedAt, startOf(shiftDay(to, 1))),
  );

/** Returns the margin's part of what the margin and sellers earned, in percent; null if nothing was earned. */
export function getTakeRate({ marginCents, earnedCents }: MarketplaceSums): number | null {
  const earned = marginCents + earnedCents;
  return earned > 0 ? Math.round((marginCents / earned) * 1000) / 10 : null;
}

type ExportedDay = MarketplaceDay & { period: 'selected' | 'before' };

const amount = (minor: number) => Number(toDecimalString(minor));

const columns: readonly CsvColumn<ExportedDay>[] = [
  ['Day (UTC)', ({ day }) => day],
  ['Period', ({ period }) => period],
  ['Orders', (day) => day.orders],
  ['GMV (USD)', ({ gmvCents }) => amount(gmvCents)],
  ['Refunds (USD)', ({ refundsCents }) => amount(refundsCents)],
  ['Margin (USD)', ({ marginCents }) => amount(marginCents)],
  ['Earned by sellers (USD)', ({ earnedCents }) => amount(earnedCents)],
  ['Take rate (%)', getTakeRate],
  ['Deliveries due', ({ due }) => due],
  ['Late', ({ late }) => late],
  ['Links lost', ({ lost }) => lost],
];

/** Generates the figures of each day of a period, and of the period before it, as CSV (RFC 4180), the oldest day first. */
export function exportMarketplace(period: Period, on?: Reader): AsyncGenerator<string> {
  async function* batches(): AsyncGenerator<ExportedDay[]> {
    const { days, earlierDays } = await getMarketplaceFigures(period, on);
    yield earlierDays.map((day) => ({ ...day, period: 'before' }));
    yield days.map((day) => ({ ...day, period: 'selected' }));
  }
  return generateCsv(columns, batches());
}
