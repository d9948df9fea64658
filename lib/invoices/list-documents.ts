import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, db } from '@/db/client';
import { readIdPage } from '@/db/read-id-page';
import { documentSeries } from '@/db/schema/invoices';
import type { CursorPage, PageRequest } from '@/lib/id-cursor';
import { type DocumentView, documentPath } from './contract';
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
 * Selects the documents of a buyer. Those of deleted orders are among them: their money moved.
 * @param month of the issue in UTC, as YYYY-MM; undefined for all
 */
function selectDocuments(accountId: string, month: string | undefined): SQL {
  const inMonth =
    month === undefined
      ? sql`true`
      : sql`issued_at >= (${`${month}-01`}::date)::timestamp at time zone 'UTC'
          and issued_at < (${`${month}-01`}::date + interval '1 month') at time zone 'UTC'`;
  return sql`(
    select i.id, i.kind, i.year, i.number, i.order_id as "orderId", o.deleted_at is not null as "isOrderDeleted",
      i.amount_cents as "netCents", i.tax_cents as "taxCents", i.issued_at
    from invoices i join orders o on o.id = i.order_id
    where o.account_id = ${accountId} and ${inMonth}
    union all
    select id, 'receipt', year, number, null, false, amount_cents, 0, issued_at from receipts
    where account_id = ${accountId} and ${inMonth}
  ) as documents`;
}

const columns = sql`id, kind, year, number, "orderId", "isOrderDeleted", "netCents", "taxCents",
  to_char(issued_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "issuedAt"`;

/** Lists a page of a buyer's documents, newest first, with their exact number. */
export async function listDocuments(
  accountId: string,
  { month, ...page }: PageRequest & { month?: string | undefined },
): Promise<CursorPage<BuyerDocument> & { total: number }> {
  const documents = selectDocuments(accountId, month);
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
 * Reads the documents of a buyer that were issued in a month, in the order of issue.
 * @param limit their maximum number
 */
export async function readMonth(
  on: Pick<Database, 'execute'>,
  accountId: string,
  { month, limit }: { month: string; limit: number },
): Promise<BuyerDocument[]> {
  const documents = selectDocuments(accountId, month);
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

/** Lists the months in which documents of a buyer were issued, newest first. */
export async function listDocumentMonths(accountId: string): Promise<DocumentMonth[]> {
  const signed = sql`case kind when 'invoice' then 1 when 'credit_note' then -1 else 0 end`;
  const rows = await db().execute(sql`
    select to_char(issued_at at time zone 'UTC', 'YYYY-MM') as month, count(*) as count,
      sum("netCents" * ${signed}) as "netCents", sum("taxCents" * ${signed}) as "taxCents",
      sum(case kind when 'receipt' then "netCents" else 0 end) as "paidCents"
    from ${selectDocuments(accountId, undefined)} group by 1 order by 1 desc`);
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
