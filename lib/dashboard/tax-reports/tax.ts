import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import type { Freshness } from '@/db/replicas';
import { taxRollups } from '@/db/schema/invoices';
import { taxCategories } from '@/db/schema/tax';
import { readSnapshot } from '@/db/snapshot';
import { signOf } from '@/lib/dashboard/money-figures';
import { allFlows } from '@/lib/ledger/moves';
import { toDecimalString, walletCurrency } from '@/lib/money';
import { type CsvColumn, generateCsv } from '@/lib/platform/csv';
import { choiceParam } from '@/lib/platform/http/fields';
import { checkMonths, monthFields, resolveMonths, spanOfMonths } from './periods';

type Reader = Pick<Executor, 'execute'>;

/** The query of the report of tax. */
export const taxReportQuery = z
  .object({
    ...monthFields,
    by: choiceParam(['month', 'quarter']).default('month').describe('The length of the periods of the rows.'),
    format: choiceParam(['json', 'csv']).default('json').describe('The format of the response.'),
  })
  .superRefine(checkMonths);
type TaxReportQuery = Pick<z.output<typeof taxReportQuery>, 'from' | 'to' | 'by'>;

const amounts = {
  netCents: z.int().describe('Of the invoices, in USD cents without tax.'),
  taxCents: z.int().describe('Of the invoices, in USD cents.'),
  creditedNetCents: z.int().describe('What credit notes returned, in USD cents without tax; not subtracted above.'),
  creditedTaxCents: z.int().describe('The tax that credit notes returned, in USD cents.'),
};

const accountingAmounts = z.object({
  currency: z.string().describe('ISO 4217 code of the currency of the operator’s country.'),
  netMinor: z.int(),
  taxMinor: z.int(),
  creditedNetMinor: z.int(),
  creditedTaxMinor: z.int(),
});

const taxReportRow = z.object({
  period: z.string().describe('YYYY-MM or YYYY-Qn, by the day on which the money moved, in UTC.'),
  country: z.string().describe('The country whose tax it is, as an ISO 3166-1 alpha-2 code; empty for none.'),
  rate: z.int().describe('In hundredths of a percent.'),
  category: z.enum(taxCategories).describe('The category of UNCL 5305.'),
  invoices: z.int(),
  creditNotes: z.int(),
  ...amounts,
  accounting: accountingAmounts
    .nullable()
    .describe(
      'The amounts in hundredths of the currency of the operator’s country; null where the documents state none.',
    ),
});
export type TaxReportRow = z.output<typeof taxReportRow>;

/** The response of the report. */
export const taxReportResponse = z
  .object({
    from: z.string(),
    to: z.string(),
    rows: z.array(taxReportRow),
    totals: z.object(amounts),
    bookedTaxCents: z
      .int()
      .describe(
        'What the books added to the tax accounts in the months, in USD cents. It is the tax less the credited tax, once all documents are issued.',
      ),
  })
  .meta({ title: 'TaxReport' });
type TaxReport = z.output<typeof taxReportResponse>;

const count = z.coerce.number().int();
const readRow = z.object({
  period: z.string(),
  country: z.string(),
  rate: z.int(),
  category: z.enum(taxCategories),
  currency: z.string().nullable(),
  ...{ invoices: count, creditNotes: count },
  ...{ netCents: count, taxCents: count, creditedNetCents: count, creditedTaxCents: count },
  ...{ netMinor: count, taxMinor: count, creditedNetMinor: count, creditedTaxMinor: count },
});

/**
 * Returns the tax of the documents of a period, by month or quarter, country, rate and category. Amounts in USD and, where
 * the documents state it, in the currency of the operator's country.
 * @param on a snapshot, so that the sum of the books is of the same moment
 */
export async function getTaxReport({ by, ...query }: TaxReportQuery, on: Reader): Promise<TaxReport> {
  const months = resolveMonths(query);
  const span = spanOfMonths(months);
  const format = by === 'month' ? 'YYYY-MM' : 'YYYY-"Q"Q';
  const sum = (column: string, kind: 'invoice' | 'credit_note') =>
    sql`coalesce(sum(${sql.raw(column)}) filter (where kind = ${kind}), 0)`;
  const inSpan = sql`day >= ${span.start.slice(0, 10)}::date and day < ${span.end.slice(0, 10)}::date`;
  const found = await on.execute(sql`
    select to_char(day, ${format}) as period, country, rate, category, nullif(currency, '') as currency,
      ${sum('documents', 'invoice')} as invoices, ${sum('documents', 'credit_note')} as "creditNotes",
      ${sum('net_cents', 'invoice')} as "netCents", ${sum('tax_cents', 'invoice')} as "taxCents",
      ${sum('net_cents', 'credit_note')} as "creditedNetCents", ${sum('tax_cents', 'credit_note')} as "creditedTaxCents",
      ${sum('net_minor', 'invoice')} as "netMinor", ${sum('tax_minor', 'invoice')} as "taxMinor",
      ${sum('net_minor', 'credit_note')} as "creditedNetMinor", ${sum('tax_minor', 'credit_note')} as "creditedTaxMinor"
    from ${taxRollups} where ${inSpan} group by 1, 2, 3, 4, 5 order by 1, 2, 3 desc, 4, 5`);
  const rows = z
    .array(readRow)
    .parse([...found])
    .map(toRow);
  const total = (name: keyof typeof amounts) => rows.reduce((all, row) => all + row[name], 0);
  const [booked] = await on.execute(sql`
    select coalesce(sum(${signOf('tax')} * amount_cents), 0) as cents from (${allFlows}) as flows
    where currency = ${walletCurrency} and ${signOf('tax')} <> 0
      and ${inSpan}`);
  return {
    ...{ ...months, rows },
    totals: {
      netCents: total('netCents'),
      taxCents: total('taxCents'),
      creditedNetCents: total('creditedNetCents'),
      creditedTaxCents: total('creditedTaxCents'),
    },
    bookedTaxCents: z.object({ cents: count }).parse(booked).cents,
  };
}

/** Returns the report for a screen, from one snapshot of the database. */
export const readTaxReport = (query: TaxReportQuery, freshness: Freshness = {}): Promise<TaxReport> =>
  readSnapshot(freshness, (on) => getTaxReport(query, on));

function toRow(row: z.output<typeof readRow>): TaxReportRow {
  const { currency, netMinor, taxMinor, creditedNetMinor, creditedTaxMinor, ...rest } = row;
  const accounting = currency === null ? null : { currency, netMinor, taxMinor, creditedNetMinor, creditedTaxMinor };
  return { ...rest, accounting };
}

/** Formats a rate in hundredths of a percent: 1900 as "19.00". */
export const percentOf = (rate: number): string => toDecimalString(rate);

const usd = (cents: number) => toDecimalString(cents);
const minor = (name: keyof z.output<typeof accountingAmounts>) => (row: TaxReportRow) => {
  const value = row.accounting?.[name];
  return typeof value === 'number' ? toDecimalString(value) : (value ?? '');
};

const columns: CsvColumn<TaxReportRow>[] = [
  ['Period', ({ period }) => period],
  ['Country', ({ country }) => country],
  ['Rate (%)', ({ rate }) => percentOf(rate)],
  ['Category', ({ category }) => category],
  ['Invoices', ({ invoices }) => invoices],
  ['Credit notes', ({ creditNotes }) => creditNotes],
  ['Net (USD)', ({ netCents }) => usd(netCents)],
  ['Tax (USD)', ({ taxCents }) => usd(taxCents)],
  ['Credited net (USD)', ({ creditedNetCents }) => usd(creditedNetCents)],
  ['Credited tax (USD)', ({ creditedTaxCents }) => usd(creditedTaxCents)],
  ['Currency', minor('currency')],
  ['Net', minor('netMinor')],
  ['Tax', minor('taxMinor')],
  ['Credited net', minor('creditedNetMinor')],
  ['Credited tax', minor('creditedTaxMinor')],
];

/** Generates the report as CSV. */
export async function* exportTaxReport(query: TaxReportQuery, on: Reader): AsyncGenerator<string> {
  const { rows } = await getTaxReport(query, on);
  yield* generateCsv(columns, inOneBatch(rows));
}

/** Returns rows as the batches that a CSV is generated from. */
export async function* inOneBatch<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}
