import { and, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { type IdRange, readIdPage } from '@/db/read-id-page';
import type { Reading } from '@/db/replicas';
import { invoiceKinds } from '@/db/schema/invoices';
import { taxCategories } from '@/db/schema/tax';
import type { PageRequest } from '@/lib/id-cursor';
import { documentNumber } from '@/lib/invoices/numbers';
import { choiceParam, integerParam } from '@/lib/platform/http/fields';
import { selectOssLines } from './oss';
import { checkMonths, monthFields, quarterField, resolveMonths, spanOfMonths } from './periods';
import { selectTaxLines } from './tax-lines';

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

const sumsRow = z.object({ total: cents, netCents: cents, taxCents: cents });

/**
 * Lists the documents that a figure of the reports of tax is the sum of, newest first, with their number and sums; credit
 * notes subtract.
 */
export async function listTaxDocuments(filter: TaxDocumentsFilter, page: PageRequest, on: Reading = db()) {
  const lines = selectCounted(filter);
  const [found, [sums]] = await Promise.all([
    readIdPage(sql`id`, page, (range) => readDocuments(lines, range, on)),
    on.execute(sql`
      select count(distinct id) as total,
        coalesce(sum(case when kind = 'invoice' then net_cents else -net_cents end), 0) as "netCents",
        coalesce(sum(case when kind = 'invoice' then tax_cents else -tax_cents end), 0) as "taxCents"
      from (${lines}) as counted`),
  ]);
  return { ...found, ...sumsRow.parse(sums) };
}

function selectCounted({ kind, country, rate, category, currency, oss, supplied, ...months }: TaxDocumentsFilter): SQL {
  const where = and(
    kind && sql`kind = ${kind}`,
    country === undefined ? undefined : sql`country = ${country === 'none' ? '' : country}`,
    rate === undefined ? undefined : sql`rate = ${rate}`,
    category && sql`category = ${category}`,
    oss && supplied ? sql`supplied = ${supplied}` : undefined,
    oss || currency === undefined ? undefined : sql`coalesce(currency, 'none') = ${currency}`,
  );
  const lines = oss ? selectOssLines(oss) : selectTaxLines(spanOfMonths(resolveMonths(months)));
  return sql`select * from (${lines}) as lines where ${where ?? sql`true`}`;
}

async function readDocuments(
  lines: SQL,
  { where, orderBy, limit, offset }: IdRange,
  on: Reading,
): Promise<TaxDocument[]> {
  const rows = await on.execute(sql`
    select id, kind, year, number, order_id as "orderId",
      exists (select from orders where orders.id = counted.order_id and orders.deleted_at is not null) as "isOrderDeleted",
      to_char(moved_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "movedAt",
      coalesce(nullif(buyer ->> 'company', ''), buyer ->> 'name') as buyer, array_remove(array_agg(distinct country), '') as countries,
      sum(net_cents) as "netCents", sum(tax_cents) as "taxCents"
    from (${lines}) as counted where ${where ?? sql`true`}
    group by id, kind, year, number, order_id, moved_at, buyer order by ${orderBy} limit ${limit} offset ${offset}`);
  return z
    .array(documentRow)
    .parse([...rows])
    .map((row) => ({ ...row, name: documentNumber(row) }));
}
