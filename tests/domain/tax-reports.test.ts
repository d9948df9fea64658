import { and, desc, eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, db } from '@/db/client';
import { disputes } from '@/db/schema/disputes';
import { invoices, taxRollups } from '@/db/schema/invoices';
import { payouts } from '@/db/schema/payouts';
import { sellerBillingProfiles } from '@/db/schema/seller-statements';
import { referenceRates } from '@/db/schema/tax';
import type { Actor } from '@/lib/access/actor';
import { listEntries } from '@/lib/dashboard/money-entries';
import { listTaxDocuments, taxDocumentsQuery } from '@/lib/dashboard/tax-reports/documents';
import { exportOssReport, readOssReport } from '@/lib/dashboard/tax-reports/oss';
import { currentMonth, lastDayOf, quarterOf, shiftQuarter, spanOfQuarter } from '@/lib/dashboard/tax-reports/periods';
import { exportDac7, readDac7Page, readUsSellers } from '@/lib/dashboard/tax-reports/sellers';
import { exportTaxReport, readTaxReport, taxReportQuery } from '@/lib/dashboard/tax-reports/tax';
import { findThresholds } from '@/lib/dashboard/tax-reports/thresholds';
import { readSellerYears } from '@/lib/earnings/self-billing/export-year';
import { issueInvoices } from '@/lib/invoices/issue';
import { rollUpLedger } from '@/lib/ledger/roll-up';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { convertToUsdCents } from '@/lib/money';
import { decideDispute } from '@/lib/orders/disputes/decide';
import { openDispute } from '@/lib/orders/disputes/open';
import { extendAsBuyer } from '@/lib/orders/order/authorize';
import { createOrder } from '@/lib/orders/order/create';
import { deleteOrder } from '@/lib/orders/order/delete';
import { updateOrder } from '@/lib/orders/order/update';
import { approvePayout } from '@/lib/payouts/approve';
import { markPayoutPaid } from '@/lib/payouts/mark';
import { requestPayout } from '@/lib/payouts/request';
import { saveOptionsBody } from '@/lib/sites/options/contract';
import { saveOptions } from '@/lib/sites/options/save';
import { rollUpTax } from '@/lib/tax/document-lines';
import { propertyRuns } from '@/scripts/testing/tier';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makePayableSeller } from '@/tests/factories/make-payout';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { makeBillingProfile, turnTaxOff, turnTaxOn } from '@/tests/factories/turn-tax-on';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import * as verbs from '@/tests/setup/placement-verbs';

const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
const today = new Date().toISOString().slice(0, 10);
const rates = {
  EUR: { usdMicrosPerUnit: 1_080_000, unitMicrosPerUsd: 925_926 },
  PLN: { usdMicrosPerUnit: 250_000, unitMicrosPerUsd: 4_000_000 },
};

let admin: Actor;
beforeAll(async () => {
  admin = await makeUser('Admin');
  await turnTaxOn();
  await db()
    .insert(referenceRates)
    .values(Object.entries(rates).map(([currency, rate]) => ({ day: today, currency, ...rate })))
    .onConflictDoNothing();
});
afterAll(async () => {
  await turnTaxOff();
  await owner.end();
});

const vatCheck = { state: 'valid' as const, checkedAt: `${today}T00:00:00Z`, consultation: null, requester: null };
const profiles = [
  {},
  { country: 'DE', company: '' },
  { country: 'AT', company: '' },
  { country: 'DE', vatId: 'DE136695976', vatCheck },
  { country: 'US', company: 'Agency Inc.' },
];

type Sale = {
  priceCents: number;
  profile: number;
  /** Extended after the buyer changed to another profile. */
  extended?: number | null;
  isTaxed?: boolean;
  /** A number is the share of the buyer in a dispute, in percent. */
  end: 'kept' | 'refunded' | 'deleted' | number;
};

/** Sells a placement. */
async function sell({ priceCents, profile, extended = null, isTaxed = true, end }: Sale): Promise<number> {
  await (isTaxed ? turnTaxOn() : turnTaxOff());
  const [buyer, seller] = [await makeUser(), await makeUser('Seller')];
  await fundWallet(buyer.userId, 200_000);
  await makeBillingProfile(buyer.userId, profiles[profile]);
  const siteId = await makeSite(seller.userId, priceCents, { isFulfilledByStaff: false });
  const offered = [{ kind: 'guarantee', days: 180, surchargeCents: 501 }];
  const { options } = await saveOptions(seller, siteId, saveOptionsBody.parse({ options: offered }));
  const { orders } = await createOrder(buyer, {
    kind: 'custom',
    projectId: await makeProject(buyer),
    siteIds: [siteId],
  });
  const id = orders[0]?.id ?? 0;
  const placed = { id, buyer, seller };
  await turnTaxOn();
  if (extended !== null && typeof end !== 'number') {
    await verbs.accept(placed);
    await verbs.deliver(placed);
    await verbs.approve(placed);
    await makeBillingProfile(buyer.userId, { vatId: '', vatCheck: null, ...profiles[extended] });
    await extendAsBuyer(buyer, id, { optionId: options[0]?.id ?? '' });
  }
  if (end === 'deleted') await deleteOrder(admin, id);
  if (end === 'refunded') await updateOrder(admin, id, { status: 'Refunded' });
  if (typeof end === 'number') {
    await verbs.accept(placed);
    await verbs.deliver(placed);
    await openDispute(buyer, id, 'buyer', { reason: 'other', text: 'It differs.' });
    const [dispute] = await db().select().from(disputes).where(eq(disputes.orderId, id)).orderBy(desc(disputes.id));
    await decideDispute(admin, dispute?.id ?? '', { buyerPercent: end, note: 'Decided.' });
  }
  return id;
}

/** Changes the day of an invoice, which is immutable, and adds up all documents again. */
async function moveInvoice(orderId: number, movedAt: string): Promise<void> {
  await owner.begin(async (tx) => {
    await tx`alter table invoices disable trigger user`;
    await tx`update invoices set moved_at = ${movedAt} where order_id = ${orderId} and kind = 'invoice'`;
    await tx`alter table invoices enable trigger user`;
  });
  await db().transaction(async (tx) => {
    await tx.delete(taxRollups);
    const all = await tx.select({ id: invoices.id }).from(invoices);
    await rollUpTax(
      tx,
      all.map(({ id }) => id),
    );
  });
}

type RollupKey = Omit<typeof taxRollups.$inferSelect, 'documents' | 'netCents' | 'taxCents' | 'netMinor' | 'taxMinor'>;
const isRollup = ({ day, kind, country, rate, category, currency }: RollupKey) =>
  and(
    ...[eq(taxRollups.day, day), eq(taxRollups.kind, kind), eq(taxRollups.country, country)],
    ...[eq(taxRollups.rate, rate), eq(taxRollups.category, category), eq(taxRollups.currency, currency)],
  );
const taxSums = 'The sums of the reports of tax equal the lines of their documents';

const list = (query: object) => listTaxDocuments(taxDocumentsQuery.parse(query), { limit: 2_000 });
const netOf = ({ rows }: Awaited<ReturnType<typeof list>>) =>
  rows.reduce((sum, { kind, netCents }) => sum + (kind === 'invoice' ? netCents : -netCents), 0);

const thisMonth = () => taxReportQuery.parse({});
const textOf = async (pieces: AsyncIterable<string>) => {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
};
const cellsOf = async (pieces: AsyncIterable<string>) =>
  (await textOf(pieces))
    .replace('\uFEFF', '')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));

describe('the report of tax', () => {
  it('is the sum of its documents and of the tax accounts, for any sequence of sales and refunds', async () => {
    const sale = fc.record({
      priceCents: fc.integer({ min: 100, max: 99_999 }),
      profile: fc.nat(profiles.length - 1),
      extended: fc.option(fc.nat(profiles.length - 1)),
      isTaxed: fc.boolean(),
      end: fc.oneof(
        fc.constantFrom('kept' as const, 'refunded' as const, 'deleted' as const),
        fc.integer({ min: 1, max: 99 }),
      ),
    });
    // A credit note with the rates of two countries.
    const twoRates = { priceCents: 10_000, profile: 1, extended: 2, isTaxed: true, end: 'refunded' as const };

    await fc.assert(
      fc.asyncProperty(fc.array(sale, { minLength: 1, maxLength: 4 }), fc.boolean(), async (sales, isRolledUp) => {
        for (const one of sales) await sell(one);
        if (isRolledUp) await rollUpLedger();
        await issueInvoices();
        const { rows, totals, bookedTaxCents } = await readTaxReport(thisMonth());
        expect(totals.taxCents - totals.creditedTaxCents).toBe(bookedTaxCents);
        const [all] = await owner`
          select coalesce(sum(amount_cents) filter (where kind = 'invoice'), 0)::int as net,
            coalesce(sum(tax_cents) filter (where kind = 'invoice'), 0)::int as tax,
            coalesce(sum(amount_cents) filter (where kind = 'credit_note'), 0)::int as credited_net,
            coalesce(sum(tax_cents) filter (where kind = 'credit_note'), 0)::int as credited_tax,
            coalesce(sum((accounting_tax ->> 'taxMinor')::int * case kind when 'invoice' then 1 else -1 end), 0)::int as minor
          from invoices`;
        expect(all).toEqual({
          ...{ net: totals.netCents, tax: totals.taxCents },
          ...{ credited_net: totals.creditedNetCents, credited_tax: totals.creditedTaxCents },
          minor: rows.reduce(
            (sum, { accounting }) => sum + (accounting ? accounting.taxMinor - accounting.creditedTaxMinor : 0),
            0,
          ),
        });
        for (const row of rows) {
          const { country, accounting } = row;
          const figure = { rate: row.rate, category: row.category, currency: accounting?.currency ?? 'none' };
          const listed = await list({ ...figure, country: country || 'none' });
          expect(listed).toMatchObject({
            total: row.invoices + row.creditNotes,
            netCents: row.netCents - row.creditedNetCents,
            taxCents: row.taxCents - row.creditedTaxCents,
          });
          expect(netOf(listed)).toBe(listed.netCents);
        }
        const listed = await list({});
        expect(netOf(listed)).toBe(totals.netCents - totals.creditedNetCents);
        expect(listed.rows.flatMap(({ countries }) => countries).filter((one) => !/^[A-Z]{2}$/.test(one))).toEqual([]);
        const oss = await readOssReport(quarterOf(currentMonth()));
        for (const { quarter: supplied, country, rate, netCents, taxCents } of [...oss.supplies, ...oss.corrections])
          expect(await list({ oss: oss.quarter, supplied, country, rate })).toMatchObject({ netCents, taxCents });
      }),
      { numRuns: propertyRuns(8), examples: [[[twoRates], false]] },
    );
    expect((await list({})).rows.some(({ countries }) => countries.length > 1)).toBe(true);
    const { rows } = await readTaxReport(thisMonth());
    expect(await cellsOf(exportTaxReport(thisMonth(), db()))).toHaveLength(rows.length + 1);
    await expectSoundBooks();
    // A sum that was changed, moved or removed.
    const change = fc.record({
      row: fc.constantFrom(...(await db().select().from(taxRollups))),
      field: fc.constantFrom('documents', 'netCents', 'taxCents', 'netMinor', 'taxMinor', 'country', 'none'),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ row, field }) => {
        const { documents, netCents, taxCents, netMinor, taxMinor, ...key } = row;
        const replace = async (by?: typeof row) => {
          await db().delete(taxRollups).where(isRollup(key));
          if (by) await db().insert(taxRollups).values(by);
        };
        if (field === 'none') await replace();
        else await replace({ ...row, ...(field === 'country' ? { country: 'XX' } : { [field]: row[field] + 1 }) });
        const broken = (await verifyBooks()).checks.filter((check) => check.broken > 0);
        expect(broken).toMatchObject([{ name: taxSums, broken: field === 'country' ? 2 : 1 }]);
        await db()
          .delete(taxRollups)
          .where(isRollup({ ...key, country: 'XX' }));
        await replace(row);
      }),
      { numRuns: propertyRuns(8) },
    );
    await expectSoundBooks();
  }, 240_000);

  it('counts a document that is issued later in the month in which its money moved', async () => {
    await sell({ priceCents: 10_000, profile: 0, end: 'kept' });
    const before = await readTaxReport(thisMonth());
    expect(before.bookedTaxCents - before.totals.taxCents + before.totals.creditedTaxCents).toBe(2_300);
    await issueInvoices({ at: new Date('2199-01-31T00:00:00Z') });
    const after = await readTaxReport(thisMonth());
    expect(after.totals.taxCents - after.totals.creditedTaxCents).toBe(after.bookedTaxCents);
  });

  it('tells of its documents, and of the entries of the books, whether the order still has a page', async () => {
    const kept = await sell({ priceCents: 10_000, profile: 0, end: 'kept' });
    const deleted = await sell({ priceCents: 10_000, profile: 0, end: 'deleted' });
    await issueInvoices();
    const { rows } = await list({});
    const entries = await listEntries(
      { figure: 'wallet', currency: 'USD', period: { from: today, to: today } },
      { limit: 1_000 },
    );
    for (const found of [rows, entries.rows]) {
      const of = (id: number) => found.find(({ orderId }) => orderId === id)?.isOrderDeleted;
      expect([of(kept), of(deleted)]).toEqual([false, true]);
    }
  });

  it('is exact in a currency whose unit is worth little', async () => {
    const rate = { usdMicrosPerUnit: 2_727, unitMicrosPerUsd: 366_650_000 };
    await db()
      .insert(referenceRates)
      .values({ day: today, currency: 'HUF', ...rate });
    await turnTaxOn({ country: 'HU', vatIds: [{ country: 'HU', number: 'HU12892312' }] });
    const [buyer, seller] = [await makeUser(), await makeUser('Seller')];
    await fundWallet(buyer.userId, 20_000);
    await makeBillingProfile(buyer.userId, { country: 'HU' });
    const siteIds = [await makeSite(seller.userId, 10_000)];
    await createOrder(buyer, { kind: 'custom', projectId: await makeProject(buyer), siteIds });
    await issueInvoices();
    const { rows } = await readTaxReport(thisMonth());
    const found = rows.find(({ country }) => country === 'HU');
    expect(found?.accounting).toMatchObject({ currency: 'HUF', netMinor: 3_666_500, taxMinor: 989_955 });
    await turnTaxOn();
  });

  it('refuses months that are none, in the wrong order or too many', () => {
    for (const query of [
      { from: '2026-13' },
      { from: '26-01' },
      { from: '2026-02', to: '2026-01' },
      { from: '2001-01', to: '2026-01' },
      { by: 'week' },
    ])
      expect(taxReportQuery.safeParse(query).success, JSON.stringify(query)).toBe(false);
  });
});

describe('the report for the One Stop Shop', () => {
  it('has supplies to persons of other member states in euros, and lists corrections of earlier quarters apart', async () => {
    const quarter = quarterOf(currentMonth());
    const earlier = shiftQuarter(quarter, -1);
    await issueInvoices();
    const start = await readOssReport(quarter);
    const of = (report: typeof start, country: string) => ({
      supplies: report.supplies
        .filter((row) => row.country === country)
        .reduce((sum, { netCents }) => sum + netCents, 0),
      corrections: report.corrections.filter((row) => row.country === country),
    });
    await sell({ priceCents: 20_000, profile: 1, end: 'kept' });
    const returned = await sell({ priceCents: 30_000, profile: 1, end: 25 });
    // A buyer of the operator's country and a business are no part of it.
    await sell({ priceCents: 40_000, profile: 0, end: 'kept' });
    await sell({ priceCents: 50_000, profile: 3, end: 'kept' });
    await issueInvoices();
    expect(of(await readOssReport(quarter), 'DE').supplies - of(start, 'DE').supplies).toBe(20_000 + 22_500);
    // The second one was sold in the quarter before.
    const moved = `${lastDayOf(earlier)}T23:59:59Z`;
    await moveInvoice(returned, moved);
    await db()
      .insert(referenceRates)
      .values(
        [earlier, quarter].map((one, index) => ({
          // The last day has no rate: the next publication counts.
          day: new Date(Date.parse(spanOfQuarter(one).end) + index * 86_400_000).toISOString().slice(0, 10),
          currency: 'EUR',
          usdMicrosPerUnit: 1_000_000 + 100_000 * index,
          unitMicrosPerUsd: Math.round(1e12 / (1_000_000 + 100_000 * index)),
        })),
      )
      .onConflictDoUpdate({
        target: [referenceRates.day, referenceRates.currency],
        set: {
          unitMicrosPerUsd: sql`excluded.unit_micros_per_usd`,
          usdMicrosPerUnit: sql`excluded.usd_micros_per_unit`,
        },
      });
    const report = await readOssReport(quarter);
    expect(report.rate?.usdMicrosPerUnit).toBe(1_100_000);
    expect(of(report, 'DE').supplies - of(start, 'DE').supplies).toBe(20_000);
    expect(of(report, 'DE').corrections).toEqual([
      // At the rate of the quarter that they correct.
      {
        quarter: earlier,
        country: 'DE',
        rate: 1_900,
        netCents: -7_500,
        taxCents: -1_425,
        netEurCents: -7_500,
        taxEurCents: -1_425,
      },
    ]);
    for (const { quarter: supplied, country, rate, netCents, taxCents } of [...report.supplies, ...report.corrections])
      expect(await list({ oss: quarter, supplied, country, rate })).toMatchObject({ netCents, taxCents });
    expect(await list({ oss: quarter, supplied: earlier })).toMatchObject({ total: 1, rows: [{ orderId: returned }] });
    const german = report.supplies.find(({ country }) => country === 'DE');
    expect(german?.taxEurCents).toBe(convertToUsdCents(german?.taxCents ?? 0, 909_091));
    expect(report.supplies.map(({ country }) => country)).not.toContain('PL');
    expect((await readOssReport(earlier)).supplies).toMatchObject([
      { netCents: 30_000, taxCents: 5_700, netEurCents: 30_000 },
    ]);
    const cells = await cellsOf(exportOssReport(quarter, db()));
    expect(cells.filter(([part]) => part === 'Corrections')).toEqual([
      ['Corrections', earlier, 'DE', '19.00', '-75.00', '-14.25', '-75.00', '-14.25'],
    ]);
  });
});

describe('the reports of sellers', () => {
  it('have what became payable by quarter and the account, in full only in the export', async () => {
    const seller = await makePayableSeller(5_000);
    const year = new Date().getUTCFullYear();
    const { sellers } = await readDac7Page(year, 0);
    const found = sellers.find(({ id }) => id === seller.userId);
    expect(found).toMatchObject({
      ...{ amountCents: 5_000, placements: 1, feeCents: 0, taxId: '' },
      payoutMethod: { kind: 'bank', lastFour: '1234' },
    });
    expect(JSON.stringify(sellers)).not.toContain('DE89370400440532013000');
    const [header = [], ...lines] = await cellsOf(exportDac7(year, db()));
    const line = lines.find((cells) => cells[1] === seller.userId) ?? [];
    const quarter = Math.ceil((new Date().getUTCMonth() + 1) / 3);
    expect(line[header.indexOf(`Q${quarter} amount (USD)`)]).toBe('50.00');
    expect(line.slice(-3)).toEqual(['Bank account', 'Sólveig Jónsdóttir', 'DE89370400440532013000']);
    expect(line).toHaveLength(header.length);
  });

  it('read many sellers by one statement', async () => {
    const sellers = [await makePayableSeller(1_000), await makePayableSeller(2_000)];
    let statements = 0;
    const on: Pick<Database, 'execute'> = {
      execute: (query) => {
        statements += 1;
        return db().execute(query);
      },
    };
    const read: string[] = [];
    for await (const batch of readSellerYears(new Date().getUTCFullYear(), on))
      read.push(...batch.map(({ seller }) => seller));
    expect(read).toEqual(expect.arrayContaining(sellers.map(({ userId }) => userId)));
    expect(statements).toBeLessThanOrEqual(1 + read.length / 100);
  });

  it('list sellers in the United States above the thresholds of their year', async () => {
    expect([2025, 2026, 2027].map((year) => findThresholds(year).nec.amountCents)).toEqual([60_000, 200_000, 200_000]);
    expect(findThresholds(2026).k).toEqual({ amountCents: 2_000_000, transactions: 200 });
    const paid = async (amountCents: number, paidAt: string, country = 'US') => {
      const seller = await makePayableSeller(amountCents);
      const { id } = await requestPayout(seller, {});
      const { state } = await approvePayout(await makeUser('Admin'), id);
      // A large amount needs two people.
      if (state === 'requested') await approvePayout(await makeUser('Admin'), id);
      await markPayoutPaid(admin, id, { reference: 'REF-1' });
      const profile = { legalName: 'Ada', address: 'Main Street', taxId: '1', country };
      await db()
        .insert(sellerBillingProfiles)
        .values({ sellerId: seller.userId, ...profile, agreedAt: new Date(), nextMonth: '2199-01' });
      await db()
        .update(payouts)
        .set({ paidAt: new Date(paidAt) })
        .where(eq(payouts.id, id));
      return seller.userId;
    };
    const [low, high, abroad] = [
      await paid(199_999, '2026-12-31T23:59:59Z'),
      await paid(200_000, '2026-01-01T00:00:00Z'),
      await paid(900_000, '2026-05-01T00:00:00Z', 'DE'),
    ];
    const earlier = await paid(60_000, '2025-06-01T00:00:00Z');
    const ids = async (year: number) => (await readUsSellers(year)).map(({ id }) => id);
    expect(await ids(2026)).toContain(high);
    expect(await ids(2026)).not.toEqual(expect.arrayContaining([low]));
    expect(await ids(2026)).not.toEqual(expect.arrayContaining([abroad]));
    expect(await ids(2025)).toEqual([earlier]);
  });
});
