import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { invoices } from '@/db/schema/invoices';
import { documentResponse } from '@/lib/invoices/contract';
import { issueInvoices } from '@/lib/invoices/issue';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeStaff } from '@/tests/factories/make-staff';
import { spendMoney } from '@/tests/factories/spend-money';
import { makeBillingProfile, turnTaxOff, turnTaxOn } from '@/tests/factories/turn-tax-on';
import { openClient } from '@/tests/setup/http-client';

const signedIn = async (role: string) => {
  const account = await makeAccount({ role });
  const client = openClient();
  await client.signIn('user', account.email);
  return { account, client };
};
const issuedFor = (orderId: number) => db().select().from(invoices).where(eq(invoices.orderId, orderId));

/** Waits until an order has its invoice. The app's own job may be issuing at this moment. */
const isIssued = (orderId: number) =>
  expect
    .poll(async () => {
      await issueInvoices();
      return issuedFor(orderId);
    })
    .toHaveLength(1);

/** Whether the page is not found: by its status, or by the router's marker after streaming began. */
const isNotFound = ({ status, body }: { status: number; body: unknown }) =>
  status === 404 || String(body).includes('NEXT_HTTP_ERROR_FALLBACK;404');

describe('/user/orders/{id}/invoice', () => {
  it('is visible to its buyer only, and opening it issues nothing a second time', async () => {
    const { account, client: buyer } = await signedIn('User');
    await fundWallet(account.userId, 12_345);
    const id = await spendMoney(account, 12_345);
    const path = `/user/orders/${id}/invoice`;
    for (const role of ['User', 'Seller', 'Admin']) {
      const { client } = await signedIn(role);
      for (const headers of [{}, { rsc: '1' }] as Record<string, string>[]) {
        const answer = await client.get(path, headers);
        expect(String(answer.body)).not.toContain(account.email);
        if (Object.keys(headers).length === 0) expect(isNotFound(answer), role).toBe(true);
      }
      const over = await client.get(`/user/orders?invoice=${id}`);
      expect(over.status).toBe(200);
      expect(String(over.body)).not.toContain(account.email);
    }
    expect((await openClient().get(path)).headers.get('location')).toContain('/user/login?next=');

    const page = await buyer.get(path);
    expect(page.status).toBe(200);
    expect(String(page.body)).toContain('Print or save as PDF');
    const [row] = await issuedFor(id);
    expect(String(page.body)).toContain(`INV-${row?.year}-${String(row?.number).padStart(6, '0')}`);
    expect(page.headers.get('cache-control')).toContain('no-store');
    await Promise.all(Array.from({ length: 5 }, () => buyer.get(path)));
    expect(await issuedFor(id)).toEqual([row]);
  }, 90_000);

  it('returns 404 for an invalid order id', async () => {
    const { client } = await signedIn('User');
    for (const id of ['0', '-1', '1e3', '99999999999999999999', '%00', "1'--"]) {
      expect(isNotFound(await client.get(`/user/orders/${id}/invoice`)), id).toBe(true);
    }
  }, 90_000);
});

describe('/api/invoices', () => {
  it('sends each document to its buyer and to staff, in the formats that it has the details for', async () => {
    const { account, client: buyer } = await signedIn('User');
    await fundWallet(account.userId, 12_345);
    await turnTaxOn();
    await makeBillingProfile(account.userId);
    const taxed = await spendMoney(account, 5_000);
    await isIssued(taxed);
    await turnTaxOff();
    const untaxed = await spendMoney(account, 5_000);
    await isIssued(untaxed);
    const { body, headers } = await buyer.get('/api/invoices?limit=10');
    const listed = z.array(documentResponse).parse(body);
    expect(headers.get('x-total-count')).toBe('3');
    const of = (orderId: number | null) => {
      const found = listed.find((document) => document.orderId === orderId);
      if (!found) throw new Error('Not listed.');
      return found;
    };
    expect(of(taxed)).toMatchObject({ netCents: 5_000, taxCents: 1_150, totalCents: 6_150 });
    const staff = openClient();
    await staff.signIn('admin', (await makeStaff('ManageOrders')).email);
    const { client: stranger } = await signedIn('User');

    for (const client of [buyer, staff]) {
      const pdf = await client.get(of(taxed).links.pdf);
      expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
      expect(pdf.headers.get('content-disposition')).toContain(`filename="${of(taxed).number}.pdf"`);
      expect(pdf.headers.get('cache-control')).toBe('private, no-store');
      const xml = await client.get(of(taxed).links.ublXml ?? '');
      expect([xml.status, xml.headers.get('content-type')]).toEqual([200, 'application/xml']);
      expect(String(xml.body)).toContain(`<cbc:ID>${of(taxed).number}</cbc:ID>`);
      const hybrid = await client.get(of(taxed).links.facturxPdf ?? '');
      expect(String(hybrid.body)).toContain('factur-x.xml');
      expect((await client.get(of(untaxed).links.pdf)).status).toBe(200);
      const incomplete = await client.get(of(untaxed).links.ublXml ?? '');
      expect(incomplete).toMatchObject({ status: 409, body: { error: expect.stringContaining('Download the PDF') } });
    }
    expect((await buyer.get(of(null).links.pdf)).status).toBe(200);
    expect((await buyer.get(`/api/invoices/${of(null).number}.ubl.xml`)).status).toBe(404);
    for (const [client, path] of [
      [stranger, of(taxed).links.pdf],
      [stranger, of(null).links.pdf],
      [staff, of(null).links.pdf],
      [buyer, `/api/invoices/${of(taxed).number}`],
      [buyer, `/api/invoices/${of(taxed).number}.docx`],
    ] as const)
      expect((await client.get(path)).status, path).toBe(404);
    expect((await openClient().get(of(taxed).links.pdf)).status).toBe(401);
    expect((await buyer.get('/api/invoices?month=2026-13')).status).toBe(400);
    expect((await buyer.get('/api/invoices?month=2020-01')).body).toEqual([]);
  }, 90_000);
});
