import { and, eq } from 'drizzle-orm';
import { extractText, getDocumentProxy } from 'unpdf';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { sellerStatements } from '@/db/schema/seller-statements';
import { statementNumber } from '@/lib/earnings/self-billing/contract';
import { issueSellerStatements } from '@/lib/earnings/self-billing/issue';
import { saveBillingProfile } from '@/lib/earnings/self-billing/profile';
import { makeAccount } from '@/tests/factories/make-account';
import { makePlacement } from '@/tests/factories/make-placement';
import { postPayout } from '@/tests/factories/post-payout';
import { appUrl, openClient } from '@/tests/setup/http-client';

const month = new Date().toISOString().slice(0, 7);
const seller = openClient();
const buyer = openClient();
let orderId = 0;

beforeAll(async () => {
  const [account, other] = await Promise.all([makeAccount({ role: 'Seller' }), makeAccount()]);
  ({ id: orderId } = await makePlacement('approved', { seller: account, sellerCents: 10_000 }));
  await makePlacement('offered', { seller: account, sellerCents: 700 });
  await postPayout(account.userId, 'requested', { amountCents: 1_500 });
  await Promise.all([seller.signIn('seller', account.email), buyer.signIn('user', other.email)]);
});

describe('GET /api/seller/earnings', () => {
  it('tells where the money is', async () => {
    expect(await seller.get('/api/seller/earnings')).toMatchObject({
      status: 200,
      body: {
        ...{ reservedCents: 700, ripeningCents: 6_000, availableCents: 2_500, inTransitCents: 1_500, paidCents: 0 },
        ...{ feesCents: 0, currency: 'USD' },
      },
    });
    expect((await buyer.get('/api/seller/earnings')).status).toBe(403);
  });
});

describe('GET /api/seller/statement', () => {
  it('lists the entries of the current month in order, with balances', async () => {
    const { status, body } = await seller.get('/api/seller/statement');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ month, account: 'available', openingCents: 0, closingCents: 2_500, currency: 'USD' },
      entries: [
        { id: 1, kind: 'ripened', amountCents: 4_000, balanceCents: 4_000, orderId, payoutId: null },
        { id: 2, kind: 'payout', amountCents: 1_500, balanceCents: 2_500, orderId: null, website: '' },
      ],
    });
    expect(JSON.stringify(body)).not.toContain('hasPage');
  });

  it('has the other account and other months, also without entries', async () => {
    expect(await seller.get(`/api/seller/statement?month=${month}&account=pending`)).toMatchObject({
      body: { closingCents: 6_000, entries: [{ kind: 'earned' }, { kind: 'ripened', balanceCents: 6_000 }] },
    });
    expect(await seller.get('/api/seller/statement?month=2024-02')).toMatchObject({
      body: { openingCents: 0, closingCents: 0, entries: [] },
    });
    expect((await seller.get('/api/seller/statement?month=2024-13')).status).toBe(400);
    expect((await buyer.get('/api/seller/statement')).status).toBe(403);
  });
});

describe('GET /seller/earnings/pdf', () => {
  it('is the statement of a month with its balances', async () => {
    const answer = await fetch(`${appUrl}/seller/earnings/pdf?month=${month}`, {
      headers: { cookie: seller.cookie() },
    });
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    const document = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()));
    const { text } = await extractText(document, { mergePages: true });
    for (const part of ['Statement of', '−$15.00', '+$40.00', `#${orderId}`, '$25.00']) expect(text).toContain(part);
  });
});

describe('/seller/earnings', () => {
  it('shows the tiles, the months and why an amount is not payable', async () => {
    const { body } = await seller.get('/seller/earnings');
    for (const text of ['$60.00', '$25.00', 'on its way', 'Last twelve months', 'more with each day', 'Answer by'])
      expect(body).toContain(text);
    const { body: statement } = await seller.get('/seller/earnings/statement');
    for (const text of ['Payout requested', 'Became available', 'Closing balance']) expect(statement).toContain(text);
  });
});

describe('self-billed statements', () => {
  it('are for their seller and staff, and the year has every seller by quarter', async () => {
    const [vendor, staff] = await Promise.all([
      makeAccount({ role: 'Seller', name: '=Formula()' }),
      makeAccount({ role: 'Admin' }),
    ]);
    const other = await makeAccount({ role: 'Seller' });
    await makePlacement('approved', { seller: vendor, sellerCents: 10_000 });
    await postPayout(vendor.userId, 'paid', { amountCents: 1_000, feeCents: 100 });
    const details = { legalName: 'Дмитро Їжак', address: '1 Main Street', taxId: '', country: 'NO' };
    await saveBillingProfile(vendor, { ...details, agreed: true, version: 0 });
    const now = new Date();
    await issueSellerStatements(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2)));
    const [statement] = await db().select().from(sellerStatements).where(eq(sellerStatements.sellerId, vendor.userId));
    const [mine, theirs, admin] = [openClient(), openClient(), openClient()];
    await mine.signIn('seller', vendor.email);
    await theirs.signIn('seller', other.email);
    await admin.signIn('admin', staff.email);
    const paths = ['/seller/earnings/self-billing', '/dashboard/features/payouts/statements'] as const;
    const name = statement ? statementNumber(statement) : '';
    const pdfOf = async (client: typeof mine) => {
      const answer = await fetch(`${appUrl}/api/invoices/${name}.pdf`, { headers: { cookie: client.cookie() } });
      if (answer.status !== 200) return String(answer.status);
      const document = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()));
      return (await extractText(document, { mergePages: true })).text;
    };
    for (const text of [await pdfOf(mine), await pdfOf(admin)])
      for (const part of ['Дмитро Їжак', '$40.00', '$1.00', month]) expect(text).toContain(part);
    expect(await pdfOf(theirs)).toBe('404');
    for (const path of paths)
      expect((await (path === paths[0] ? mine : admin).get(path)).body).toContain(`/api/invoices/${name}.pdf`);
    expect((await mine.get(paths[0])).body).toContain('You agreed on');
    expect((await admin.get(paths[1])).body).toContain(vendor.email);
    const { body } = await admin.get(`${paths[1]}/export?year=${now.getUTCFullYear()}`);
    const line = String(body)
      .split('\r\n')
      .find((one) => one.includes(vendor.userId));
    expect(line).toContain(",'=Formula(),");
    expect(line).toMatch(/,NO,[\d-]+,40\.00,1\.00,1$/);
    expect((await mine.get(`${paths[1]}/export`)).status).toBe(403);
    const isExport = eq(auditLogs.action, 'seller_statement.year_exported');
    const exported = await db()
      .select()
      .from(auditLogs)
      .where(and(eq(auditLogs.userId, staff.userId), isExport));
    expect(exported).toMatchObject([{ entityId: `${now.getUTCFullYear()}` }]);
  });
});
