import { type SQL, sql } from 'drizzle-orm';
import { taxRollups } from '@/db/schema/invoices';
import type { Transaction } from '@/db/transaction';

/**
 * Selects the tax lines of documents. A document belongs to the day on which its money moved: an order is
 * paid before it is fulfilled, so that the tax is due with the payment (Article 65 of Directive 2006/112/EC). The ledger
 * books tax on the same day, and documents that are issued later change neither.
 *
 * Columns: those of the document, `country`, `rate`, `category`, `net_cents` and `tax_cents` of the line, and `currency`,
 * `net_minor` and `tax_minor` in the currency of the operator's country, null where the document does not state it. The
 * lines of a document add up to the tax that it states.
 * @param where the condition of the documents; for `invoices i`
 */
export const selectTaxLines = (where: SQL): SQL => sql`
  select id, kind, year, number, order_id, moved_at, issued_at, seller, buyer, country, rate, category, net_cents, tax_cents,
    accounting_tax ->> 'currency' as currency,
    round(net_cents::numeric * micros / 1000000)::bigint as net_minor,
    case when accounting_tax is null then null when all_cents = 0 then 0
      else round(tax_minor * upto_cents / all_cents) - round(tax_minor * (upto_cents - tax_cents) / all_cents)
    end::bigint as tax_minor
  from (
    select i.id, i.kind, i.year, i.number, i.order_id, i.moved_at, i.issued_at, i.seller, i.buyer, i.accounting_tax,
      l.value ->> 'country' as country, (l.value ->> 'rate')::int as rate, l.value ->> 'category' as category,
      (l.value ->> 'netCents')::bigint as net_cents, (l.value ->> 'taxCents')::bigint as tax_cents,
      (i.accounting_tax ->> 'taxMinor')::numeric as tax_minor,
      (i.accounting_tax ->> 'unitMicrosPerUsd')::numeric as micros,
      sum((l.value ->> 'taxCents')::bigint) over (partition by i.id) as all_cents,
      sum((l.value ->> 'taxCents')::bigint) over (partition by i.id order by l.ordinality) as upto_cents
    from invoices i cross join lateral jsonb_array_elements(i.taxes) with ordinality as l
    where ${where}
  ) as documents`;

/**
 * Selects the sums of the tax lines of documents, with the columns of `taxRollups`.
 * @param where the condition of the documents; for `invoices i`
 */
export const selectTaxSums = (where: SQL): SQL => sql`
  select (moved_at at time zone 'UTC')::date as day, kind, country, rate, category, coalesce(currency, '') as currency,
    count(distinct id)::int as documents, sum(net_cents) as net_cents, sum(tax_cents) as tax_cents,
    coalesce(sum(net_minor), 0) as net_minor, coalesce(sum(tax_minor), 0) as tax_minor
  from (${selectTaxLines(where)}) as lines group by 1, 2, 3, 4, 5, 6`;

/**
 * Adds new documents to the sums of the reports of tax, in the transaction that issues them. Documents are never changed.
 */
export async function rollUpTax(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`
    insert into ${taxRollups} as known (day, kind, country, rate, category, currency, documents, net_cents, tax_cents, net_minor,
      tax_minor)
    ${selectTaxSums(sql`i.id = any(${sql.param([...ids])}::text[])`)}
    on conflict (day, kind, country, rate, category, currency) do update set
      documents = known.documents + excluded.documents, net_cents = known.net_cents + excluded.net_cents,
      tax_cents = known.tax_cents + excluded.tax_cents, net_minor = known.net_minor + excluded.net_minor,
      tax_minor = known.tax_minor + excluded.tax_minor`);
}
