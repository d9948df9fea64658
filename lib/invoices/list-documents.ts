import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, db } from '@/db/client';
import { readIdPage } from '@/db/read-id-page';
import { documentSeries } from '@/db/schema/invoices';
import { orders } from '@/db/schema/orders';
import type { CursorPage, PageRequest } from '@/lib/id-cursor';
import { type DocumentView, documentPath } from './contract';
import { type DocumentReader, hasReadableDocuments, readsReceipts } from './document-scope';
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

/**
 * Selects the documents that a member of an account reads. Those of deleted orders are among them: their money moved.
 * @param month of the issue in UTC, as YYYY-MM; undefined for all
 */
function selectDocuments(reader: DocumentReader, month: string | undefined): SQL {
  const inMonth =
    month === undefined
      ? sql`true`
      : sql`issued_at >= (${`${month}-01`}::date)::timestamp at time zone 'UTC'
          and issued_at < (${`${month}-01`}::date + interval '1 month') at time zone 'UTC'`;
  return sql`(
    select i.id, i.kind, i.year, i.number, i.order_id as "orderId", ${orders.deletedAt} is not null as "isOrderDeleted",
      i.amount_cents as "netCents", i.tax_cents as "taxCents", i.issued_at
    from invoices i join ${orders} on ${orders.id} = i.order_id
    where ${hasReadableDocuments(reader)} and ${inMonth}
    union all
    select id, 'receipt', year, number, null, false, amount_cents, 0, issued_at from receipts
    where account_id = ${reader.accountId} and ${readsReceipts(reader)} and ${inMonth}
  ) as documents`;
}

const columns = sql`id, kind, year, number, "orderId", "isOrderDeleted", "netCents", "taxCents",
  to_char(issued_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "issuedAt"`;

/** Lists a page of the documents that a member reads, newest first, with their exact number. */
export async function listDocuments(
  reader: DocumentReader,
  { month, ...page }: PageRequest & { month?: string | undefined },
): Promise<CursorPage<BuyerDocument> & { total: number }> {
  const documents = selectDocuments(reader, month);
  const [found, [counted]] = await Promise.all([
    readIdPage(sql`id`, page, async ({ where = sql`true`, orderBy, limit, offset }) =>
      documentRows.parse([
        ...(await db().execute(
          sql`select ${columns} from ${documents} where ${where} order by ${orderBy} limit ${limit} offset ${offset}`,
        )),
      ]),
    ),
    db().execute(sql`select count(*) as total from ${documents}`),
  ]);
  return { ...found, total: totalRow.parse(counted).total };
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
  const documents = selectDocuments(reader, month);
  return documentRows.parse([
    ...(await on.execute(sql`select ${columns} from ${documents} order by id limit ${limit}`)),
  ]);
}

/** The documents of a month (YYYY-MM in UTC). Amounts in USD cents; credit notes are subtracted. */
export type DocumentMonth = z.output<typeof monthRow>;

const monthRow = z.object({
  month: z.string(),
  count: z.coerce.number(),
  netCents: z.coerce.number(),
  taxCents: z.coerce.number(),
  /** Of receipts. */
  paidCents: z.coerce.number(),
});

/** Lists the months in which documents that a member reads were issued, newest first. */
export async function listDocumentMonths(reader: DocumentReader): Promise<DocumentMonth[]> {
  const signed = sql`case kind when 'invoice' then 1 when 'credit_note' then -1 else 0 end`;
  const rows = await db().execute(sql`
    select to_char(issued_at at time zone 'UTC', 'YYYY-MM') as month, count(*) as count,
      sum("netCents" * ${signed}) as "netCents", sum("taxCents" * ${signed}) as "taxCents",
      sum(case kind when 'receipt' then "netCents" else 0 end) as "paidCents"
    from ${selectDocuments(reader, undefined)} group by 1 order by 1 desc`);
  return z.array(monthRow).parse([...rows]);
}

const totalRow = z.object({ total: z.coerce.number() });

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
