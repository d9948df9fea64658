import { eq } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { mails } from '@/db/schema/mails';
import { notices } from '@/db/schema/notices';
import { sellerBillingProfiles, sellerStatementLines, sellerStatements } from '@/db/schema/seller-statements';
import type { Actor } from '@/lib/access/actor';
import { statementNumber } from '@/lib/earnings/self-billing/contract';
import { issueSellerStatements } from '@/lib/earnings/self-billing/issue';
import { saveBillingProfile } from '@/lib/earnings/self-billing/profile';
import { listStatements } from '@/lib/earnings/self-billing/queries';
import { findDocument } from '@/lib/invoices/find-document';
import { findMissing } from '@/lib/invoices/find-missing';
import { writeCii } from '@/lib/invoices/formats/cii';
import { writeUbl } from '@/lib/invoices/formats/ubl';
import { toSelfBilledModel } from '@/lib/invoices/self-billed';
import { setMailPreference } from '@/lib/mail/preferences';
import { getAvailableCents } from '@/lib/payouts/request';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';
import { postPayout } from '@/tests/factories/post-payout';
import { turnTaxOff, turnTaxOn } from '@/tests/factories/turn-tax-on';
import { brokenBy } from '@/tests/setup/broken-by';
import { checkCii, checkUbl } from '@/tests/setup/conformance/check-invoice';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';

const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
afterAll(() => owner.end());
// Other tests' sellers would be billed as well.
beforeEach(() => db().delete(sellerBillingProfiles));

const details = { legalName: 'Ołena Ψ GmbH', address: '1 Main Street\nOslo', taxId: 'NO123', country: 'NO' };
const agree = (seller: Actor, version = 0) => saveBillingProfile(seller, { ...details, agreed: true, version });

const now = new Date();
const month = now.toISOString().slice(0, 7);
/** A day of a later month. */
const later = (months: number, day = 2) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day));

const statementsOf = ({ userId }: Actor) =>
  db().select().from(sellerStatements).where(eq(sellerStatements.sellerId, userId)).orderBy(sellerStatements.id);

/** A seller with two approved placements and a paid payout with a fee. */
async function makeEarner(): Promise<Actor> {
  const seller = await makeUser('Seller');
  await makePlacement('approved', { seller, sellerCents: 10_000 });
  await makePlacement('settled', { seller, sellerCents: 1_000, isApproved: true });
  await postPayout(seller.userId, 'paid', { amountCents: 2_000, feeCents: 150 });
  await postPayout(seller.userId, 'returned', { amountCents: 500, feeCents: 150 });
  return seller;
}

describe('self-billed statements', () => {
  it('bill what became payable in a month that is over, once, with its placements and fees', async () => {
    const seller = await makeEarner();
    await agree(seller);
    expect(await issueSellerStatements(now)).toMatchObject({ issued: 0 });
    // The month ends an hour later, for transactions that started in it.
    expect(await issueSellerStatements(later(1, 1))).toMatchObject({ issued: 0 });
    expect(await issueSellerStatements(later(1))).toEqual({ issued: 1, empty: 0, failed: 0 });
    expect(await issueSellerStatements(later(1))).toEqual({ issued: 0, empty: 0, failed: 0 });
    const [statement, ...others] = await statementsOf(seller);
    expect(others).toEqual([]);
    expect(statement).toMatchObject({
      ...{ month, billedCents: 4_500, feeCents: 150, earnedCents: 11_000, returnedCents: 500, placementCount: 2 },
      ...details,
    });
    const listed = async (year: number) =>
      (await listStatements(seller.userId, { limit: 10 }, year)).rows.map(({ id }) => id);
    const year = now.getUTCFullYear();
    expect([await listed(year), await listed(year - 1)]).toEqual([[statement?.id], []]);
    const lines = await db()
      .select()
      .from(sellerStatementLines)
      .where(eq(sellerStatementLines.statementId, statement?.id ?? ''));
    expect(lines.map(({ amountCents }) => amountCents).sort()).toEqual([4_000, 500]);
    const name = statement ? statementNumber(statement) : '';
    expect(await db().select().from(notices).where(eq(notices.userId, seller.userId))).toMatchObject([
      { kind: 'statement.issued', subject: name },
    ]);
    expect(await db().select().from(mails).where(eq(mails.recipient, seller.email))).toMatchObject([
      { kind: 'seller-statement', subject: `Self-billed statement ${name}` },
    ]);
    expect(await db().select().from(auditLogs).where(eq(auditLogs.entityId, name))).toMatchObject([
      { action: 'seller_statement.issued' },
    ]);
    await expectSoundBooks();
  });

  it('split the tax out of what a seller registered in the country of the tax earned, and move no money for it', async () => {
    const cases = [
      // 45.00 with 23 % is 36.59 and 8.41.
      { country: 'PL', taxId: 'PL5260001246', tax: { rate: 2_300, category: 'S', netCents: 3_659, taxCents: 841 } },
      { country: 'DE', taxId: 'de 136 695 976', tax: { category: 'AE', text: 'Reverse charge', netCents: 4_500 } },
      { country: 'PL', taxId: '', tax: { rate: 0, category: 'O', taxCents: 0 } },
      { country: 'DE', taxId: '12/345/67890', tax: { category: 'O' } },
      { country: 'US', taxId: 'DE136695976', tax: { category: 'O' } },
      // Outside the scope of VAT the XML shows no VAT id.
      { country: 'CH', taxId: 'CHE116281710', tax: { category: 'O' } },
    ] as const;
    await turnTaxOn();
    const sellers: Actor[] = [];
    for (const { country, taxId } of cases) {
      const seller = await makeEarner();
      await saveBillingProfile(seller, { ...details, country, taxId, agreed: true, version: 0 });
      sellers.push(seller);
    }
    const availableCents = await getAvailableCents(sellers[0]?.userId ?? '');
    await issueSellerStatements(later(1));
    await turnTaxOff();
    for (const [index, { country, tax }] of cases.entries()) {
      const seller = sellers[index];
      const [statement] = seller ? await statementsOf(seller) : [];
      expect(statement?.taxes, country).toMatchObject([tax]);
      expect(statement).toMatchObject({ billedCents: 4_500, operator: { vatId: 'PL5260001246' } });
      expect(await getAvailableCents(seller?.userId ?? '')).toBe(availableCents);
    }
    for (const [index, missing] of [[], [], ['seller.registration'], [], [], ['seller.registration']].entries()) {
      const seller = sellers[index];
      const [statement] = seller ? await statementsOf(seller) : [];
      if (!seller || !statement) throw new Error('Nothing was issued.');
      const found = await findDocument(seller, statementNumber(statement));
      if (found.kind !== 'invoice') throw new Error('Not a statement.');
      expect(Object.keys(findMissing(found.model)), String(index)).toEqual(missing);
      if (missing.length > 0) continue;
      expect([...checkUbl(writeUbl(found.model)), ...checkCii(writeCii(found.model))], String(index)).toEqual([]);
      // A month with fees alone has no line.
      const [tax] = statement.taxes;
      const taxes = tax ? [{ ...tax, netCents: 0, taxCents: 0 }] : [];
      const idle = toSelfBilledModel({ ...statement, billedCents: 0, taxCents: 0, taxes }, []);
      expect(Object.keys(findMissing(idle))).toEqual(['lines']);
    }
    const [polish, german] = await Promise.all(
      sellers.slice(0, 2).map(async (seller) => {
        const [statement] = await statementsOf(seller);
        const name = statement ? statementNumber(statement) : '';
        const found = await findDocument(seller, name);
        await expect(findDocument(await makeUser('Seller'), name)).rejects.toMatchObject({ code: 'not_found' });
        await expect(findDocument(await makeStaff('ManageOrders'), name)).rejects.toMatchObject({ code: 'not_found' });
        expect(await findDocument(await makeStaff('ManagePayouts'), name)).toEqual(found);
        return found.kind === 'invoice' ? found.model : undefined;
      }),
    );
    expect(polish).toMatchObject({
      ...{ code: '389', netCents: 3_659, taxCents: 841, totalCents: 4_500, notes: ['Self-billing'] },
      ...{ seller: { name: details.legalName, vatId: 'PL5260001246' }, buyer: { name: 'Example Sp. z o.o.' } },
    });
    expect(polish?.lines.map(({ netCents }) => netCents).sort()).toEqual([3_252, 407]);
    for (const model of [polish, german])
      expect(model && [...checkUbl(writeUbl(model)), ...checkCii(writeCii(model))]).toEqual([]);
    expect(german).toMatchObject({ seller: { vatId: 'DE136695976', taxNumber: '' }, taxCents: 0 });
    await expectSoundBooks();
  });

  it('skip months without money, catch up and keep the details of their issue', async () => {
    const [idle, seller] = [await makeUser('Seller'), await makeEarner()];
    await agree(idle);
    await agree(seller);
    await setMailPreference(seller, { kind: 'seller-statement', on: false });
    expect(await issueSellerStatements(later(3))).toEqual({ issued: 1, empty: 5, failed: 0 });
    expect(await statementsOf(idle)).toEqual([]);
    expect(await db().select().from(mails).where(eq(mails.recipient, seller.email))).toEqual([]);
    await saveBillingProfile(seller, { ...details, legalName: 'New name', agreed: true, version: 1 });
    expect(await statementsOf(seller)).toMatchObject([{ month, legalName: details.legalName }]);
    await expect(agree(seller, 1)).rejects.toMatchObject({ code: 'conflict' });
    await expect(agree(seller, 0)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('leave the address and the tax number of the seller out of the audit log', async () => {
    const seller = await makeUser('Seller');
    await agree(seller);
    await agree(seller, 1);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.userId, seller.userId)).orderBy(auditLogs.id);
    const after = { legalName: details.legalName, country: details.country };
    expect(lines).toMatchObject([
      { action: 'self_billing.agreed', after },
      { action: 'self_billing.details_changed', after },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/NO123|Main Street/);
  });

  it('begin with the month of the agreement', async () => {
    const seller = await makeEarner();
    await agree(seller);
    await db()
      .update(sellerBillingProfiles)
      .set({ nextMonth: later(1).toISOString().slice(0, 7) });
    expect(await issueSellerStatements(later(2))).toEqual({ issued: 0, empty: 1, failed: 0 });
    expect(await statementsOf(seller)).toEqual([]);
  });

  it('are numbered without a gap when several instances issue at once', async () => {
    const sellers = await Promise.all(Array.from({ length: 6 }, makeEarner));
    for (const seller of sellers) await agree(seller);
    const runs = await Promise.all(Array.from({ length: 4 }, () => issueSellerStatements(later(1))));
    // A run ends when all sellers that are left are locked; the next one takes them.
    await issueSellerStatements(later(1));
    expect(runs.every(({ failed }) => failed === 0)).toBe(true);
    const year = later(1).getUTCFullYear();
    const rows = await db().select().from(sellerStatements).where(eq(sellerStatements.year, year));
    expect(rows.map(({ number }) => number).sort((one, other) => one - other)).toEqual(
      rows.map((_, index) => index + 1),
    );
    for (const seller of sellers) expect(await statementsOf(seller)).toHaveLength(1);
  });

  it('cannot be changed, and the proof of the books finds one that was', async () => {
    const seller = await makeEarner();
    await agree(seller);
    await issueSellerStatements(later(1));
    const [{ id } = { id: '' }] = await statementsOf(seller);
    for (const work of [
      owner`update seller_statements set billed_cents = 1 where id = ${id}`,
      owner`delete from seller_statement_lines where statement_id = ${id}`,
    ])
      await expect(work).rejects.toMatchObject({ code: 'LM004' });
    const plant = async (change: () => Promise<unknown>) => {
      await owner`alter table seller_statements disable trigger user`;
      await owner`alter table seller_statement_lines disable trigger user`;
      await change();
      await owner`alter table seller_statements enable trigger user`;
      await owner`alter table seller_statement_lines enable trigger user`;
    };
    const amount = 'Each self-billed statement is what became payable to its seller in its month';
    const sum = 'The lines of a self-billed statement add up to it';
    const gap = 'Self-billed statements are numbered without a gap';
    expect(
      await brokenBy(() =>
        plant(() => owner`update seller_statements set billed_cents = billed_cents + 1 where id = ${id}`),
      ),
    ).toEqual([amount, sum]);
    await plant(() => owner`update seller_statements set billed_cents = billed_cents - 1 where id = ${id}`);
    expect(
      await brokenBy(() => plant(() => owner`update seller_statements set fee_cents = 0 where id = ${id}`)),
    ).toEqual([amount]);
    await plant(() => owner`update seller_statements set fee_cents = 150 where id = ${id}`);
    expect(
      await brokenBy(() => plant(() => owner`delete from seller_statement_lines where statement_id = ${id}`)),
    ).toEqual([sum]);
    expect(await brokenBy(() => owner`update seller_statement_counters set last = last + 1`)).toEqual([gap]);
  });
});
