import { and, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, db } from '@/db/client';
import { type CappedCount, countUpTo } from '@/db/count-up-to';
import { readSortedPage } from '@/db/read-sorted-page';
import { documentSeries, invoices, receipts } from '@/db/schema/invoices';
import { orders } from '@/db/schema/orders';
import type { CursorPage, PageRequest } from '@/lib/id-cursor';
import { type DocumentView, documentPath } from './contract';
import { type DocumentReader, isReadableInvoice, readsReceipts } from './document-scope';
import { documentNumber } from './numbers';

/** A document of a buyer; `orderId` is null for a receipt. */
export type BuyerDocument = z.output<typeof documentRow>;

const documentRow = z.object({
  id: z.string(),
  kind: z.enum(documentSeries),
  year: z.int(),
  number: z.int(),
  orderId: z.int().nullable(),
  isOrderDeleted: z.boolean(),
  netCents: z.coerce.number().int(),
  taxCents: z.coerce.number().int(),
  issuedAt: z.coerce.date(),
});
const documentRows = z.array(documentRow);

/** Builds the condition of a month of the issue in UTC, as YYYY-MM; undefined for all. */
const isIn = (month: string | undefined): SQL | undefined =>
  month === undefined
    ? undefined
    : sql`issued_at >= (${`${month}-01`}::date)::timestamp at time zone 'UTC'
        and issued_at < (${`${month}-01`}::date + interval '1 month') at time zone 'UTC'`;

/**
 * Selects the documents that a member of an account reads, with the columns of their indexes. Those of deleted orders are
 * among them: their money moved.
 * @param end the order and the limit of each kind, so that each is read along its index
 */
const selectDocuments = (reader: DocumentReader, where: SQL | undefined, end = sql``): SQL => sql`(
    (select id, kind, issued_at, amount_cents, tax_cents from ${invoices}
      where ${and(isReadableInvoice(reader), where)} ${end})
    union all
    (select id, 'receipt', issued_at, amount_cents, 0 from ${receipts} as ${invoices}
      where ${and(sql`account_id = ${reader.accountId} and ${readsReceipts(reader)}`, where)} ${end})
  ) as ${invoices}`;

/** Selects the rows of a page of documents, of which alone what their indexes lack is read. */
const selectRows = (documents: SQL, orderBy: SQL, page: SQL): SQL => sql`
  select ${invoices.id}, kind, year, number, order_id as "orderId", amount_cents as "netCents", tax_cents as "taxCents",
    exists (select from ${orders} where ${orders.id} = order_id and ${orders.deletedAt} is not null) as "isOrderDeleted",
    to_char(issued_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "issuedAt"
  from (select * from ${documents} order by ${orderBy} ${page}) as ${invoices}
  cross join lateral (
    select year, number, order_id from ${invoices} as issued where issued.id = ${invoices.id}
    union all
    select year, number, null from ${receipts} as issued where issued.id = ${invoices.id}
  ) as document
  order by ${orderBy}`;

/** Lists a page of the documents that a member reads, newest first, with their number up to a cap. */
export async function listDocuments(
  reader: DocumentReader,
  { month, ...page }: PageRequest & { month?: string | undefined },
): Promise<CursorPage<BuyerDocument> & CappedCount> {
  const where = isIn(month);
  const list = {
    id: invoices.id,
    value: invoices.issuedAt,
    nulls: 'none',
    order: 'desc',
    from: selectDocuments(reader, undefined),
    where,
  } as const;
  const [found, counted] = await Promise.all([
    readSortedPage(list, page, async ({ where: inRange, orderBy, limit, offset }) => {
      const documents = selectDocuments(reader, inRange, sql`order by ${orderBy} limit ${limit + offset}`);
      return documentRows.parse([
        ...(await db().execute(selectRows(documents, orderBy, sql`limit ${limit} offset ${offset}`))),
      ]);
    }),
    countUpTo((most) => sql`(select from ${selectDocuments(reader, where, sql`limit ${most}`)} limit ${most})`),
  ]);
  return { ...found, ...counted };
}

/**
 * Reads the documents that a member reads and that were issued in a month, in the order of issue.
 * @param limit their maximum number
 */
export async function readMonth(
  on: Pick<Database, 'execute'>,
  reader: DocumentReader,
  { month, limit }: { month: string; limit: number },
): Promise<BuyerDocument[]> {
  const inOrder = sql`${invoices.issuedAt}, ${invoices.id}`;
  return documentRows.parse([
    ...(await on.execute(selectRows(selectDocuments(reader, isIn(month)), inOrder, sql`limit ${limit}`))),
  ]);
}

const sumsRow = z.object({
  netCents: z.coerce.number(),
  taxCents: z.coerce.number(),
  /** Of receipts. */
  paidCents: z.coerce.number(),
});

/**
 * Adds up the documents of a month (YYYY-MM in UTC) that a member reads. Amounts in USD cents; credit notes are
 * subtracted.
 */
export async function addUpDocuments(reader: DocumentReader, month: string): Promise<z.output<typeof sumsRow>> {
  const signed = sql`case kind when 'invoice' then 1 when 'credit_note' then -1 else 0 end`;
  const [row] = await db().execute(sql`
    select coalesce(sum(amount_cents * ${signed}), 0) as "netCents", coalesce(sum(tax_cents * ${signed}), 0) as "taxCents",
      coalesce(sum(case kind when 'receipt' then amount_cents else 0 end), 0) as "paidCents"
    from ${selectDocuments(reader, isIn(month))}`);
  return sumsRow.parse(row);
}

/** Lists the months (YYYY-MM in UTC) in which documents that a member reads were issued, newest first. */
export async function listDocumentMonths(reader: DocumentReader): Promise<string[]> {
  // The last time before another one; each step reads one row of each kind along its index.
  const lastBefore = (time: SQL) => sql`(
    select max(issued_at) from ${selectDocuments(reader, sql`issued_at < ${time}`, sql`order by issued_at desc limit 1`)})`;
  const rows = await db().execute(sql`
    with recursive steps as (
      select ${lastBefore(sql`'infinity'::timestamptz`)} as at
      union all
      select ${lastBefore(sql`date_trunc('month', steps.at, 'UTC')`)} from steps where steps.at is not null
    )
    select to_char(at at time zone 'UTC', 'YYYY-MM') as month from steps where at is not null`);
  return z
    .array(z.object({ month: z.string() }))
    .parse([...rows])
    .map(({ month }) => month);
}

/** Returns a document for the API. */
export function documentView({
  kind,
  year,
  number,
  orderId,
  isOrderDeleted,
  netCents,
  taxCents,
  issuedAt,
}: BuyerDocument): DocumentView {
  const name = documentNumber({ kind, year, number });
  const isReceipt = kind === 'receipt';
  return {
    ...{ number: name, kind, issuedAt: issuedAt.toISOString(), netCents, taxCents },
    orderId: isOrderDeleted ? null : orderId,
    totalCents: netCents + taxCents,
    links: {
      pdf: documentPath(name, 'pdf'),
      ublXml: isReceipt ? null : documentPath(name, 'ubl.xml'),
      facturxPdf: isReceipt ? null : documentPath(name, 'facturx.pdf'),
    },
  };
}
