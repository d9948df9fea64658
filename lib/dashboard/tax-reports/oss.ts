import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import type { Freshness } from '@/db/replicas';
import { readSnapshot } from '@/db/snapshot';
import { convertToUsdCents, toDecimalString } from '@/lib/money';
import { type CsvColumn, generateCsv } from '@/lib/platform/csv';
import { dayMs } from '@/lib/platform/durations';
import { choiceParam } from '@/lib/platform/http/fields';
import { euCountries } from '@/lib/tax/countries';
import { lastDayOf, type Quarter, quarterParam, spanOfQuarter } from './periods';
import { inOneBatch, percentOf } from './tax';

type Reader = Pick<Executor, 'execute'>;

/** The query of the report. */
export const ossReportQuery = z.object({
  quarter: quarterParam,
  format: choiceParam(['json', 'csv']).default('json').describe('The format of the response.'),
});

const ossRow = z.object({
  quarter: z.string().describe('The quarter of the supplies as YYYY-Qn.'),
  country: z.string().describe('The country of consumption, as an ISO 3166-1 alpha-2 code.'),
  rate: z.int().describe('In hundredths of a percent.'),
  netCents: z.int().describe('In USD cents; negative for a correction that returns.'),
  taxCents: z.int(),
  netEurCents: z
    .int()
    .nullable()
    .describe('At the rate of the last day of the quarter of the supplies; null before it is known.'),
  taxEurCents: z.int().nullable(),
});
export type OssRow = z.output<typeof ossRow>;

/** The response of the report. */
export const ossReportResponse = z
  .object({
    quarter: z.string(),
    rate: z
      .object({ day: z.iso.date(), usdMicrosPerUnit: z.int().describe('Millionths of a USD for a euro.') })
      .nullable()
      .describe('The rate of the European Central Bank with which the supplies are converted.'),
    supplies: z.array(ossRow).describe('Supplies of the quarter, less what was returned in it.'),
    corrections: z.array(ossRow).describe('What was returned in the quarter of supplies of earlier quarters.'),
  })
  .meta({ title: 'OssReport' });
type OssReport = z.output<typeof ossReportResponse>;

const movedRow = z.object({
  quarter: z.string(),
  country: z.string(),
  rate: z.int(),
  netCents: z.coerce.number().int(),
  taxCents: z.coerce.number().int(),
});

/**
 * Selects what the documents of a quarter supplied or returned of supplies for the One Stop Shop.
 *
 * Columns: those of the document; `country`, `rate`, `category`, `net_cents` and `tax_cents` of the supply or of what was
 * returned of it; and `supplied`, the quarter of the supply as YYYY-Qn.
 */
export function selectOssLines(quarter: Quarter): SQL {
  const { start, end } = spanOfQuarter(quarter);
  return sql`
    select d.id, d.kind, d.year, d.number, d.order_id, d.moved_at, d.buyer, t.country, t.rate, t.category, moved.net_cents,
      moved.tax_cents, to_char(i.moved_at at time zone 'UTC', 'YYYY-"Q"Q') as supplied
    from invoices d
    cross join lateral (
      select movement_key as charge_key, net_cents, tax_cents from order_taxes where movement_key = d.movement_key
      union all
      select charge_key, net_cents, tax_cents from order_tax_returns where movement_key = d.movement_key
    ) as moved
    join order_taxes t on t.movement_key = moved.charge_key
    join invoices i on i.movement_key = moved.charge_key
    where d.moved_at >= ${start}::timestamptz and d.moved_at < ${end}::timestamptz
      and t.category = 'S' and t.country in ${[...euCountries]} and t.country <> coalesce(i.seller ->> 'country', '')
      and t.country <> replace(left(coalesce(i.seller ->> 'vatId', ''), 2), 'EL', 'GR')`;
}

/**
 * Returns the figures of a return for the One Stop Shop: taxed supplies to consumers in member states other than the
 * operator's, by country of consumption and rate. Returns of supplies of earlier quarters are corrections with the quarter
 * that they correct (Article 369g(4) of Directive 2006/112/EC). Amounts in euros at the European Central Bank's rate of the
 * last day of the quarter, or of the next day of publication (Article 369h, and 366 for operators outside the European
 * Union); corrections at the rate of the quarter that they correct.
 */
export async function getOssReport(quarter: Quarter, on: Reader): Promise<OssReport> {
  const sum = (column: string) =>
    sql`sum(case kind when 'invoice' then ${sql.raw(column)} else -${sql.raw(column)} end)`;
  const found = await on.execute(sql`
    select supplied as quarter, country, rate, ${sum('net_cents')} as "netCents", ${sum('tax_cents')} as "taxCents"
    from (${selectOssLines(quarter)}) as lines group by 1, 2, 3
    having ${sum('net_cents')} <> 0 or ${sum('tax_cents')} <> 0 order by 1, 2, 3 desc`);
  const rows = z.array(movedRow).parse([...found]);
  const rates = new Map<Quarter, EuroRate | null>();
  for (const name of new Set([quarter, ...rows.map((row) => row.quarter)]))
    rates.set(name, await findEuroRate(name, on));
  const shown = rows.map((row): OssRow => {
    const rate = rates.get(row.quarter) ?? null;
    return {
      ...row,
      netEurCents: rate && toEurCents(row.netCents, rate),
      taxEurCents: rate && toEurCents(row.taxCents, rate),
    };
  });
  const rate = rates.get(quarter) ?? null;
  return {
    quarter,
    rate: rate && { day: rate.day, usdMicrosPerUnit: rate.usdMicrosPerUnit },
    supplies: shown.filter((row) => row.quarter === quarter),
    corrections: shown.filter((row) => row.quarter !== quarter),
  };
}

/** Returns the report for a screen, from one snapshot of the database. */
export const readOssReport = (quarter: Quarter, freshness: Freshness = {}): Promise<OssReport> =>
  readSnapshot(freshness, (on) => getOssReport(quarter, on));

const euroRate = z.object({
  day: z.string(),
  usdMicrosPerUnit: z.coerce.number(),
  unitMicrosPerUsd: z.coerce.number(),
});
type EuroRate = z.output<typeof euroRate>;

/** The European Central Bank publishes no rate on days off; the next one follows within a week. */
const nextPublicationDays = 7;

async function findEuroRate(quarter: Quarter, on: Reader): Promise<EuroRate | null> {
  const day = lastDayOf(quarter);
  const latest = new Date(Date.parse(day) + nextPublicationDays * dayMs).toISOString().slice(0, 10);
  const [row] = await on.execute(sql`
    select to_char(day, 'YYYY-MM-DD') as day, usd_micros_per_unit as "usdMicrosPerUnit",
      unit_micros_per_usd as "unitMicrosPerUsd"
    from reference_rates where currency = 'EUR' and day between ${day}::date and ${latest}::date order by day limit 1`);
  return row ? euroRate.parse(row) : null;
}

/** Rounds half away from zero, so that a correction of everything is the opposite of what was declared. */
function toEurCents(cents: number, { unitMicrosPerUsd }: EuroRate): number {
  const converted = convertToUsdCents(Math.abs(cents), unitMicrosPerUsd);
  return cents < 0 ? -converted : converted;
}

const eur = (cents: number | null) => (cents === null ? null : toDecimalString(cents));

const columns: CsvColumn<OssRow & { part: string }>[] = [
  ['Part', ({ part }) => part],
  ['Quarter of supply', ({ quarter }) => quarter],
  ['Country', ({ country }) => country],
  ['Rate (%)', ({ rate }) => percentOf(rate)],
  ['Net (EUR)', ({ netEurCents }) => eur(netEurCents)],
  ['Tax (EUR)', ({ taxEurCents }) => eur(taxEurCents)],
  ['Net (USD)', ({ netCents }) => toDecimalString(netCents)],
  ['Tax (USD)', ({ taxCents }) => toDecimalString(taxCents)],
];

/** Generates the report as CSV; corrections are a part of their own. */
export async function* exportOssReport(quarter: Quarter, on: Reader): AsyncGenerator<string> {
  const { supplies, corrections } = await getOssReport(quarter, on);
  yield* generateCsv(
    columns,
    inOneBatch([
      ...supplies.map((row) => ({ ...row, part: 'Supplies' })),
      ...corrections.map((row) => ({ ...row, part: 'Corrections' })),
    ]),
  );
}
