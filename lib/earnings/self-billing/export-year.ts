import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import type { Reader } from '@/lib/earnings/accounts';
import { toDecimalString } from '@/lib/money';
import { recordAudit } from '@/lib/platform/audit/record';
import { csvLine } from '@/lib/platform/csv';

const columns = [
  ...['Year', 'Quarter', 'Seller', 'Name', 'Email', 'Legal name', 'Address', 'Tax ID', 'Country', 'Agreed on'],
  ...['Amount (USD)', 'Fees (USD)', 'Placements'],
];

const quarterRow = z.object({ quarter: z.int(), amountCents: z.int(), feeCents: z.int(), placements: z.int() });

const sellerRow = z.object({
  account: z.coerce.number(),
  seller: z.string(),
  name: z.string(),
  email: z.string(),
  legalName: z.string(),
  address: z.string(),
  taxId: z.string(),
  country: z.string(),
  agreedOn: z.string(),
  quarters: z.array(quarterRow),
});

const sellersPerBatch = 100;

/** Records in the audit log that the export of a year, with the sellers' names, addresses and tax IDs, was requested. */
export function recordYearExport(actor: Actor, year: number): Promise<void> {
  return recordAudit(db(), actor, {
    action: 'seller_statement.year_exported',
    details: `${actor.email} exported the amounts of ${year} of all sellers, with their billing details.`,
    entityType: 'seller_statement',
    entityId: String(year),
  });
}

/** A seller in a year: the details of its agreement to self-billing, empty without one, and the quarters with amounts. */
export type SellerYear = z.output<typeof sellerRow>;

/**
 * Generates the amounts of a year (UTC) by seller and quarter as CSV (RFC 4180), for tax reports: what became payable,
 * the fees of payouts, and the number of placements of which a part became payable. Sellers without an agreement to
 * self-billing are included, without details.
 */
export async function* exportYear(year: number, on: Reader): AsyncGenerator<string> {
  // The byte order mark marks the file as UTF-8 for spreadsheets.
  yield `\uFEFF${csvLine(columns)}`;
  for await (const sellers of readSellerYears(year, on))
    yield sellers.flatMap(({ quarters, ...seller }) => quarters.map((row) => toLine(year, seller, row))).join('');
}

const toLine = (year: number, seller: Omit<SellerYear, 'quarters'>, row: SellerYear['quarters'][number]): string =>
  csvLine([
    ...[year, row.quarter, seller.seller, seller.name, seller.email, seller.legalName, seller.address],
    ...[seller.taxId, seller.country, seller.agreedOn, toDecimalString(row.amountCents)],
    ...[toDecimalString(row.feeCents), row.placements],
  ]);

/**
 * Reads the amounts of a year (UTC) of each seller that has some, in batches of one statement each.
 * @param after the account of the last seller that was read
 */
export async function* readSellerYears(year: number, on: Reader, after = 0): AsyncGenerator<SellerYear[]> {
  let last = after;
  for (;;) {
    const sellers = z.array(sellerRow).parse([
      ...(await on.execute(sql`
        select a.id as account, u.id as seller, u.name, u.email, coalesce(p.legal_name, '') as "legalName",
          coalesce(p.address, '') as address, coalesce(p.tax_id, '') as "taxId", coalesce(p.country, '') as country,
          coalesce(to_char(p.agreed_at at time zone 'UTC', 'YYYY-MM-DD'), '') as "agreedOn",
          ${selectQuarters(year)} as quarters
        from ledger.accounts a join users u on u.id = a.owner left join seller_billing_profiles p on p.seller_id = u.id
        where a.kind = 'seller_pending' and a.currency = 'USD' and a.id > ${last} order by a.id limit ${sellersPerBatch}`)),
    ]);
    yield sellers.filter(({ quarters }) => quarters.length > 0);
    const read = sellers.at(-1);
    if (!read || sellers.length < sellersPerBatch) return;
    last = read.account;
  }
}

/** Selects the quarters of the seller `u` with the account `a` in which something became payable or a fee was charged. */
function selectQuarters(year: number): SQL {
  const inYear = sql`t.effective_at >= make_timestamptz(${year}, 1, 1, 0, 0, 0, 'UTC')
    and t.effective_at < make_timestamptz(${year + 1}, 1, 1, 0, 0, 0, 'UTC')`;
  const quarter = sql`extract(quarter from t.effective_at at time zone 'UTC')::int`;
  return sql`(
    with amounts as (
      select ${quarter} as quarter, sum(t.amount_cents) as cents, count(distinct t.order_id) as placements
      from ledger.transfers t where t.from_account = a.id and t.kind = 'ripening'
        and t.from_version is not null and ${inYear} group by 1
    ), fees as (
      select ${quarter} as quarter,
        sum(case when t.key like '%:fee' then t.amount_cents else -t.amount_cents end) as cents
      from payouts p
      join ledger.transfers t on t.key in ('payout:' || p.id || ':fee', 'payout:' || p.id || ':fee-returned')
      where p.seller_id = u.id and p.fee_cents > 0 and ${inYear} group by 1
    )
    select coalesce(jsonb_agg(jsonb_build_object('quarter', quarter, 'amountCents', coalesce(amounts.cents, 0),
      'feeCents', coalesce(fees.cents, 0), 'placements', coalesce(amounts.placements, 0)) order by quarter), '[]')
    from amounts full join fees using (quarter))`;
}
