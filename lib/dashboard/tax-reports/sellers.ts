import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, db } from '@/db/client';
import { payoutMethodKinds } from '@/db/schema/payouts';
import type { Actor } from '@/lib/access/actor';
import { readSellerYears, type SellerYear } from '@/lib/earnings/self-billing/export-year';
import { toDecimalString } from '@/lib/money';
import { describeMethodKind } from '@/lib/payouts/methods/contract';
import { listPayoutMethods, openMethodDetails, type PayoutMethod } from '@/lib/payouts/methods/show';
import { recordAudit } from '@/lib/platform/audit/record';
import { csvLine } from '@/lib/platform/csv';
import { choiceParam } from '@/lib/platform/http/fields';
import { UnreadableSecret } from '@/lib/platform/secrets';
import { spanOfYear, yearParam } from './periods';
import { findThresholds, thresholdsResponse } from './thresholds';

type Reader = Pick<Database, 'execute'>;

/** The query of the reports of sellers. */
export const sellerReportQuery = z.object({
  year: yearParam,
  format: choiceParam(['json', 'csv']).default('json').describe('The format of the response.'),
});

const quarter = z.object({
  quarter: z.int().min(1).max(4),
  amountCents: z.int().describe('What became payable to the seller, in USD cents, before the fees.'),
  feeCents: z.int().describe('The fees of payouts, less those that were returned, in USD cents.'),
  placements: z.int().describe('The placements of which a part became payable.'),
});

const seller = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  legalName: z.string().describe('Of the agreement to self-billing, as the next ones; empty without one.'),
  address: z.string(),
  taxId: z.string(),
  country: z.string(),
});

const dac7Seller = z.object({
  ...seller.shape,
  quarters: z.array(quarter).describe('The quarters (UTC) with amounts.'),
  amountCents: z.int().describe('The sum of the year.'),
  feeCents: z.int(),
  placements: z
    .int()
    .describe('The sum of the quarters: a placement that became payable in two of them counts in both.'),
  payoutMethod: z
    .object({ kind: z.enum(payoutMethodKinds), lastFour: z.string() })
    .nullable()
    .describe('Where payouts go, without the account; null without a method.'),
});
export type Dac7Seller = z.output<typeof dac7Seller>;

/** The response of the DAC7 figures. */
export const dac7Response = z.object({ year: z.int(), sellers: z.array(dac7Seller) }).meta({ title: 'Dac7Report' });

/**
 * Reads the figures that platforms report of sellers in the European Union (Council Directive (EU) 2021/514, "DAC7"): by
 * quarter what was credited, the fees that were charged, and the number of activities. Sellers with fewer than 30 sales and
 * at most €2,000 are exempt for goods only, so that every seller with an amount is listed. Who must be reported is for the
 * operator to decide.
 */
export async function* readDac7(year: number, on: Database): AsyncGenerator<Dac7Seller[]> {
  for await (const batch of readSellerYears(year, on)) yield toDac7Sellers(batch, on);
}

async function toDac7Sellers(batch: readonly SellerYear[], on: Database): Promise<Dac7Seller[]> {
  const methods = await listPayoutMethods(
    batch.map(({ seller: id }) => id),
    on,
  );
  return batch.map((found) => {
    const method = methods.get(found.seller);
    const payoutMethod = method ? { kind: method.kind, lastFour: method.lastFour } : null;
    return { ...toSeller(found), ...addUp(found), payoutMethod };
  });
}

const sellersPerPage = 50;

/**
 * Reads a page of the DAC7 figures.
 * @param after the position of the last seller of the page before; 0 for the first page
 * @returns also the position for the next page; null on the last one
 */
export async function readDac7Page(
  year: number,
  after: number,
): Promise<{ sellers: Dac7Seller[]; next: number | null }> {
  const found: SellerYear[] = [];
  for await (const batch of readSellerYears(year, db(), after)) {
    found.push(...batch);
    if (found.length > sellersPerPage) break;
  }
  const shown = found.slice(0, sellersPerPage);
  return {
    sellers: await toDac7Sellers(shown, db()),
    next: found.length > sellersPerPage ? (shown.at(-1)?.account ?? null) : null,
  };
}

const toSeller = ({ seller: id, name, email, legalName, address, taxId, country }: SellerYear) => ({
  ...{ id, name, email, legalName, address, taxId, country },
});

function addUp({ quarters }: SellerYear) {
  const sum = (name: 'amountCents' | 'feeCents' | 'placements') => quarters.reduce((all, row) => all + row[name], 0);
  return { quarters, amountCents: sum('amountCents'), feeCents: sum('feeCents'), placements: sum('placements') };
}

const dac7Columns = [
  ...['Year', 'Seller', 'Name', 'Email', 'Legal name', 'Address', 'Tax ID', 'Country'],
  ...[1, 2, 3, 4].flatMap((one) => [`Q${one} amount (USD)`, `Q${one} fees (USD)`, `Q${one} placements`]),
  ...['Amount (USD)', 'Fees (USD)', 'Placements', 'Account kind', 'Account holder', 'Account'],
];

/** Generates the DAC7 figures as CSV, with the accounts of the sellers: for staff with ManagePayouts only. */
export async function* exportDac7(year: number, on: Database): AsyncGenerator<string> {
  // The byte order mark marks the file as UTF-8 for spreadsheets.
  yield `\uFEFF${csvLine(dac7Columns)}`;
  for await (const batch of readSellerYears(year, on)) {
    const methods = await listPayoutMethods(
      batch.map(({ seller: id }) => id),
      on,
    );
    yield batch.map((found) => dac7Line(year, found, methods.get(found.seller))).join('');
  }
}

function dac7Line(year: number, found: SellerYear, method: PayoutMethod | undefined): string {
  const { id, name, email, legalName, address, taxId, country } = toSeller(found);
  const sums = addUp(found);
  const quarters = [1, 2, 3, 4].flatMap((one) => {
    const row = sums.quarters.find(({ quarter: number }) => number === one);
    return [toDecimalString(row?.amountCents ?? 0), toDecimalString(row?.feeCents ?? 0), row?.placements ?? 0];
  });
  const account = describeAccount(method);
  return csvLine([
    ...[year, id, name, email, legalName, address, taxId, country, ...quarters],
    ...[toDecimalString(sums.amountCents), toDecimalString(sums.feeCents), sums.placements],
    ...[account.kind, account.holder, account.identifier],
  ]);
}

/** Describes the account of a seller: its IBAN, its routing and account number, or its address at PayPal. */
function describeAccount(method: PayoutMethod | undefined) {
  if (!method) return { kind: '', holder: '', identifier: '' };
  const kind = describeMethodKind(method.kind);
  try {
    const details = openMethodDetails(method);
    if (details.kind === 'agreement') return { kind, holder: '', identifier: '' };
    if (details.kind === 'paypal') return { kind, holder: '', identifier: details.email };
    const identifier = details.format === 'iban' ? details.iban : `${details.routingNumber} ${details.accountNumber}`;
    return { kind, holder: details.holder, identifier };
  } catch (thrown) {
    if (!(thrown instanceof UnreadableSecret)) throw thrown;
    return { kind, holder: '', identifier: 'The account cannot be decrypted.' };
  }
}

/** Records in the audit log that the accounts and tax numbers of the sellers were exported. */
export function recordSellerExport(actor: Actor, report: 'DAC7' | '1099', year: number): Promise<void> {
  return recordAudit(db(), actor, {
    action: 'seller_report.exported',
    details: `${actor.email} exported the ${report} figures of ${year} of all sellers, with their tax numbers${report === 'DAC7' ? ' and accounts' : ''}.`,
    entityType: 'export',
    entityId: `${report} ${year}`,
  });
}

const usSeller = z.object({
  ...seller.shape,
  paidCents: z.int().describe('Payouts that were paid in the year, before the fees, in USD cents.'),
  payouts: z.int(),
  placements: z.int().describe('The placements of which a part became payable in the year.'),
  isAboveNec: z.boolean().describe('Whether the amount reaches the threshold of form 1099-NEC.'),
  isAboveK: z.boolean().describe('Whether amount and placements exceed the thresholds of form 1099-K.'),
});
export type UsSeller = z.output<typeof usSeller>;

/** The response of the 1099 list. */
export const usSellersResponse = z
  .object({ year: z.int(), thresholds: thresholdsResponse, sellers: z.array(usSeller) })
  .meta({ title: 'UsSellersReport' });

const paidRow = z.object({ cents: z.coerce.number().int(), payouts: z.coerce.number().int() });

/**
 * Reads the sellers in the United States, by the country of their agreement to self-billing, whose payouts of a year are
 * above a threshold of form 1099-NEC or 1099-K. Which form applies is for the operator to decide.
 */
export async function listUsSellers(year: number, on: Reader): Promise<UsSeller[]> {
  const { start, end } = spanOfYear(year);
  const { nec, k } = findThresholds(year);
  const sellers = await on.execute(sql`
    select u.id, u.name, u.email, p.legal_name as "legalName", p.address, p.tax_id as "taxId", p.country,
      paid.cents, paid.payouts, (
        select count(distinct t.order_id) from ledger.accounts a join ledger.transfers t on t.from_account = a.id
        where a.kind = 'seller_pending' and a.owner = u.id and a.currency = 'USD' and t.kind = 'ripening'
          and t.from_version is not null and t.effective_at >= ${start}::timestamptz and t.effective_at < ${end}::timestamptz
      ) as placements
    from seller_billing_profiles p join users u on u.id = p.seller_id
    cross join lateral (
      select coalesce(sum(amount_cents), 0) as cents, count(*) as payouts from payouts
      where seller_id = u.id and state = 'paid' and paid_at >= ${start}::timestamptz and paid_at < ${end}::timestamptz
    ) as paid
    where p.country = 'US' and paid.cents >= ${Math.min(nec.amountCents, k.amountCents)} order by u.id`);
  const row = seller.extend({ ...paidRow.shape, placements: z.coerce.number().int() });
  return z
    .array(row)
    .parse([...sellers])
    .map(({ cents, ...found }) => ({
      ...{ ...found, paidCents: cents },
      isAboveNec: cents >= nec.amountCents,
      isAboveK: cents > k.amountCents && found.placements > k.transactions,
    }))
    .filter(({ isAboveNec, isAboveK }) => isAboveNec || isAboveK);
}

/** Returns the list for a screen. */
export const readUsSellers = (year: number): Promise<UsSeller[]> => listUsSellers(year, db());

const usColumns = [
  ...['Year', 'Seller', 'Name', 'Email', 'Legal name', 'Address', 'Tax ID', 'Country'],
  ...['Paid (USD)', 'Payouts', 'Placements', 'Reaches 1099-NEC', 'Exceeds 1099-K'],
];

/** Generates the 1099 list as CSV. */
export async function* exportUsSellers(year: number, on: Reader): AsyncGenerator<string> {
  // The byte order mark marks the file as UTF-8 for spreadsheets.
  yield `\uFEFF${csvLine(usColumns)}`;
  for (const row of await listUsSellers(year, on))
    yield csvLine([
      ...[year, row.id, row.name, row.email, row.legalName, row.address, row.taxId, row.country],
      ...[toDecimalString(row.paidCents), row.payouts, row.placements],
      ...[row.isAboveNec ? 'yes' : 'no', row.isAboveK ? 'yes' : 'no'],
    ]);
}
