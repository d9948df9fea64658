import { and, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { countRows } from '@/db/count-up-to';
import { type IdRange, readIdPage } from '@/db/read-id-page';
import { readSortedPage } from '@/db/read-sorted-page';
import type { Reading } from '@/db/replicas';
import { invoiceKinds, invoices, taxRollups } from '@/db/schema/invoices';
import { taxCategories } from '@/db/schema/tax';
import type { PageRequest } from '@/lib/id-cursor';
import { documentNumber } from '@/lib/invoices/numbers';
import { choiceParam, integerParam } from '@/lib/platform/http/fields';
import { selectTaxLines } from '@/lib/tax/document-lines';
import { selectOssLines } from './oss';
import { checkMonths, monthFields, type Quarter, quarterField, resolveMonths, spanOfMonths } from './periods';

/**
 * The filters of the documents of a figure; `country` and `currency` are `none` for lines without one. With `oss`, the
 * quarter of a return for the One Stop Shop, they are the documents of that return instead of those of months, with
 * `supplied` those of the supplies of a quarter.
 */
export const taxDocumentsQuery = z
  .object({
    ...monthFields,
    kind: choiceParam(invoiceKinds).optional(),
    country: z
      .string()
      .regex(/^(none|[A-Z]{2})$/, 'Use a country code, or none.')
      .optional(),
    rate: integerParam(0, 10_000).optional(),
    category: choiceParam(taxCategories).optional(),
    currency: z
      .string()
      .regex(/^(none|[A-Z]{3})$/, 'Use a currency code, or none.')
      .optional(),
    oss: quarterField.optional(),
    supplied: quarterField.optional(),
  })
  .superRefine(checkMonths);
type TaxDocumentsFilter = z.output<typeof taxDocumentsQuery>;

const cents = z.coerce.number().int();
const documentRow = z.object({
  id: z.string(),
  kind: z.enum(invoiceKinds),
  year: z.int(),
  number: z.int(),
  orderId: z.int(),
  isOrderDeleted: z.boolean(),
  movedAt: z.coerce.date(),
  buyer: z.string().nullable(),
  countries: z.array(z.string()),
  netCents: cents,
  taxCents: cents,
});

/** A document of a figure, with the sum of its lines that the figure counts. */
export type TaxDocument = z.output<typeof documentRow> & { name: string };

const sums = { netCents: cents, taxCents: cents };

/**
 * Lists the documents that a figure of the reports of tax is the sum of, newest first, with their number up to a cap, and
 * their sums; credit notes subtract.
 */
export async function listTaxDocuments(filter: TaxDocumentsFilter, page: PageRequest, on: Reading = db()) {
  if (filter.oss) return listOssDocuments(filter.oss, filter, page, on);
  const { start, end } = spanOfMonths(resolveMonths(filter));
  const { kind, currency } = filter;
  const ofLine = isLine(filter, (name) => sql`line ->> ${sql.raw(`'${name}'`)}`);
  const where = and(
    sql`${invoices.movedAt} >= ${start}::timestamptz and ${invoices.movedAt} < ${end}::timestamptz`,
    kind && eq(invoices.kind, kind),
    ofLine && sql`exists (select from jsonb_array_elements(${invoices.taxes}) as line where ${ofLine})`,
    currency === undefined ? undefined : sql`coalesce(${invoices.accountingTax} ->> 'currency', 'none') = ${currency}`,
  );
  const { id, movedAt: value } = invoices;
  const [found, counted, rows] = await Promise.all([
    readSortedPage({ id, value, nulls: 'none', order: 'desc', from: invoices, where }, page, async (range) => {
      const found = await on
        .select({ id })
        .from(invoices)
        .where(range.where)
        .orderBy(range.orderBy)
        .limit(range.limit)
        .offset(range.offset);
      const ids = found.map((row) => row.id);
      const lines = selectTaxLines(sql`i.id = any(${sql.param(ids)}::text[])`);
      const documents = new Map((await readDocuments(on, selectCounted(lines, filter))).map((row) => [row.id, row]));
      return ids.flatMap((one) => documents.get(one) ?? []);
    }),
    countRows(invoices, where, on),
    on.execute(sql`
      select ${sumOf('net_cents')} as "netCents", ${sumOf('tax_cents')} as "taxCents" from ${taxRollups}
      where ${and(
        sql`day >= ${start.slice(0, 10)}::date and day < ${end.slice(0, 10)}::date`,
        kind && sql`kind = ${kind}`,
        isLine(filter, (name) => sql.raw(name)),
        currency === undefined ? undefined : sql`coalesce(nullif(currency, ''), 'none') = ${currency}`,
      )}`),
  ]);
  return { ...found, ...counted, ...z.object(sums).parse(rows[0]) };
}

/** The same of a return for the One Stop Shop. */
async function listOssDocuments(quarter: Quarter, filter: TaxDocumentsFilter, page: PageRequest, on: Reading) {
  const lines = selectCounted(selectOssLines(quarter), filter);
  const [found, [row]] = await Promise.all([
    readIdPage(sql`id`, page, (range) => readDocuments(on, lines, range)),
    on.execute(sql`
      select count(distinct id) as total, ${sumOf('net_cents')} as "netCents", ${sumOf('tax_cents')} as "taxCents"
      from (${lines}) as counted`),
  ]);
  return { ...found, isCapped: false, ...z.object({ total: cents, ...sums }).parse(row) };
}

const sumOf = (column: 'net_cents' | 'tax_cents') =>
  sql`coalesce(sum(case when kind = 'invoice' then ${sql.raw(column)} else -${sql.raw(column)} end), 0)`;

/** Builds the condition of a tax line by the filter; undefined without one. */
const isLine = (
  { country, rate, category }: TaxDocumentsFilter,
  column: (name: 'country' | 'rate' | 'category') => SQL,
): SQL | undefined =>
  and(
    country === undefined ? undefined : sql`${column('country')} = ${country === 'none' ? '' : country}`,
    rate === undefined ? undefined : sql`(${column('rate')})::int = ${rate}`,
    category && sql`${column('category')} = ${category}`,
  );

function selectCounted(lines: SQL, filter: TaxDocumentsFilter): SQL {
  const { kind, currency, oss, supplied } = filter;
  const where = and(
    kind && sql`kind = ${kind}`,
    isLine(filter, (name) => sql.raw(name)),
    oss && supplied ? sql`supplied = ${supplied}` : undefined,
    oss || currency === undefined ? undefined : sql`coalesce(currency, 'none') = ${currency}`,
  );
  return sql`select * from (${lines}) as lines where ${where ?? sql`true`}`;
}

async function readDocuments(on: Reading, lines: SQL, range?: IdRange): Promise<TaxDocument[]> {
  const rows = await on.execute(sql`
    select id, kind, year, number, order_id as "orderId",
      exists (select from orders where orders.id = counted.order_id and orders.deleted_at is not null) as "isOrderDeleted",
      to_char(moved_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "movedAt",
      coalesce(nullif(buyer ->> 'company', ''), buyer ->> 'name') as buyer, array_remove(array_agg(distinct country), '') as countries,
      sum(net_cents) as "netCents", sum(tax_cents) as "taxCents"
    from (${lines}) as counted where ${range?.where ?? sql`true`}
    group by id, kind, year, number, order_id, moved_at, buyer
    ${range && sql`order by ${range.orderBy} limit ${range.limit} offset ${range.offset}`}`);
  return z
    .array(documentRow)
    .parse([...rows])
    .map((row) => ({ ...row, name: documentNumber(row) }));
}
