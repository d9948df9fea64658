import { and, eq, like } from 'drizzle-orm';
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { disputes } from '@/db/schema/disputes';
import { linkWatches } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { settlementLines } from '@/db/schema/settlement';
import { sites } from '@/db/schema/sites';
import { newId } from '@/lib/ids';
import { createOrder } from '@/lib/orders/order/create';
import { requestPayout } from '@/lib/payouts/request';
import { recordAudit } from '@/lib/platform/audit/record';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeLinkCheck } from '@/tests/factories/make-link-check';
import { makePayableSeller } from '@/tests/factories/make-payout';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { openClient } from '@/tests/setup/http-client';
import { sendUpload } from '@/tests/setup/send-body';
import { routes } from './routes';

/** Prefixes that a spreadsheet evaluates, some of them as full-width characters. */
const beginnings = ['=', '+', '-', '@', '\t=', '\r=', '\n=', '  =', '|', '%', '＝', '＋', '－', '＠'];
const formula = (sign: string) => `${sign}HYPERLINK("https://evil.example","${word}")`;
/** Occurs only in this file's rows. */
const word = newId();

let admin = openClient();
let seller = openClient();
let agency = openClient();
let agencyProjectId = '';
let adminId = '';

beforeAll(async () => {
  const [staff, vendor] = await Promise.all([makeAccount({ role: 'Admin' }), makeAccount({ role: 'Seller' })]);
  const client = await makeAccount();
  agencyProjectId = await makeProject(client);
  adminId = staff.userId;
  [admin, seller, agency] = [openClient(), openClient(), openClient()];
  await Promise.all([
    admin.signIn('admin', staff.email),
    seller.signIn('seller', vendor.email),
    agency.signIn('user', client.email),
  ]);
  for (const sign of beginnings) {
    const text = formula(sign);
    const [owner, buyer] = [await makeAccount({ role: 'Seller', name: text }), await makeAccount({ name: text })];
    await fundWallet(buyer.userId, 1_000);
    const facts = { name: text, url: text, niche: text, postType: text, country: text, language: text, tat: text };
    const siteId = await makeSite(owner.userId, 1_000, facts);
    await makeSite(vendor.userId, 1_000, facts);
    const described = { domain: text, description: text, niche: text, postType: text, targetUrl: text };
    const projectId = await makeProject(buyer, { ...described, keywords: text, country: text });
    const made = await createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
    const delivered = { linkUrl: text, adminComments: text, website: text, packageName: text };
    await db()
      .update(orders)
      .set(delivered)
      .where(eq(orders.id, made.orders[0]?.id ?? 0));
    const earned = await makePlacement('approved', { seller: vendor, buyer: client, projectId: agencyProjectId });
    // The owner's name is in the export of the year.
    await makePlacement('approved', { seller: owner, buyer: client, projectId: agencyProjectId });
    await fundWallet(client.userId, 100, text);
    const live = { website: text, linkUrl: text, projectTargetUrl: text };
    await db().update(orders).set(live).where(eq(orders.id, earned.id));
    await makeLinkCheck(earned.id, { anchor: text, rel: text });
    await db().update(linkWatches).set({ verdict: 'ok' }).where(eq(linkWatches.orderId, earned.id));
    await db()
      .insert(disputes)
      .values({
        ...{ id: newId(), orderId: earned.id, openedBy: client.userId, role: 'buyer', reason: 'other', text },
        ...{ state: 'withdrawn', outcome: 'withdrawn', fromState: 'approved', amountCents: 100, decidedAt: new Date() },
      });
    await makePayableSeller(10_000, { seller: owner });
    await requestPayout(owner, {});
    await recordAudit(
      db(),
      { ...buyer, name: text, email: text },
      {
        ...{ action: 'order.created', details: text, entityType: 'order', entityId: text },
      },
    );
    await db()
      .insert(settlementLines)
      .values({
        ...{ id: newId(), provider: 'wechat', mode: 'test', type: 'other', outcome: 'not_ours', currency: 'CNY' },
        ...{ grossMinor: -700, feeMinor: 0, netMinor: -700, occurredAt: new Date() },
        ...{ reference: text, providerType: text, source: text, reason: text },
      });
  }
});

// Keeps these sites out of the marketplace of other tests.
afterAll(() =>
  db()
    .update(sites)
    .set({ deletedAt: new Date() })
    .where(like(sites.name, `%${word}%`)),
);

/** Every endpoint that returns a CSV of user input. */
const lists: Record<string, () => Promise<unknown>> = {
  '/dashboard/features/guest-posts/export': async () =>
    (await admin.get(`/dashboard/features/guest-posts/export?q=${word}`)).body,
  '/dashboard/features/orders/export': async () =>
    (await admin.get(`/dashboard/features/orders/export?q=${word}`)).body,
  '/dashboard/features/audit-logs/export': async () =>
    (await admin.get(`/dashboard/features/audit-logs/export?q=${word}`)).body,
  '/dashboard/features/payouts/statements/export': async () =>
    (await admin.get('/dashboard/features/payouts/statements/export')).body,
  '/seller/earnings/export': async () => (await seller.get('/seller/earnings/export')).body,
  '/user/orders/export': async () => (await agency.get('/user/orders/export')).body,
  '/reports/[token]': async () => {
    const report = { from: '2020-01-01', to: new Date().toISOString().slice(0, 10), prices: 'none' };
    const brand = { name: 'Agency', color: '#2563eb' };
    const { body } = await agency.post(`/api/user/projects/${agencyProjectId}/reports`, { ...report, brand });
    return (await openClient().get(`${new URL(z.object({ url: z.string() }).parse(body).url).pathname}.csv`)).body;
  },
  '/user/wallet/export': async () => (await agency.get(`/user/wallet/export?q=${word}`)).body,
  '/dashboard/features/users/export': async () => (await admin.get(`/dashboard/features/users/export?q=${word}`)).body,
  '/dashboard/features/wallet-manager/export': async () =>
    `${(await admin.get(`/dashboard/features/wallet-manager/export?q=${word}`)).body}${
      (await admin.get(`/dashboard/features/wallet-manager/export?tab=transactions&q=${word}`)).body
    }`,
  '/dashboard/features/payouts/export': async () =>
    (await admin.get(`/dashboard/features/payouts/export?q=${word}`)).body,
  '/dashboard/features/disputes/export': async () =>
    (await admin.get('/dashboard/features/disputes/export?state=ended')).body,
  '/dashboard/features/link-checks/export': async () =>
    (await admin.get('/dashboard/features/link-checks/export?verdict=ok')).body,
  '/dashboard/features/sellers/export': async () =>
    (await admin.get(`/dashboard/features/sellers/export?q=${word}`)).body,
  '/dashboard/features/payments/settlement/export': async () =>
    (await admin.get('/dashboard/features/payments/settlement/export?provider=wechat&outcome=not_ours')).body,
  '/api/admin/reports/dac7': async () => (await admin.get('/api/admin/reports/dac7?format=csv')).body,
  '/seller/my-sites/export': async () => (await seller.get(`/seller/my-sites/export?q=${word}`)).body,
  '/api/seller/sites/import': async () => (await rejected('/api/seller/sites/import?rejected=1', seller)).body,
  '/api/guest-posts/upload': async () => (await rejected('/api/guest-posts/upload?mode=rejected', admin)).body,
  '/api/seller/sites/upload': async () => (await rejected('/api/seller/sites/upload?mode=rejected', seller)).body,
};

function rejected(path: string, client: typeof admin) {
  const rows = beginnings.map((sign) => [`nowhere ${word}`, formula(sign), formula(sign)]);
  const content = Papa.unparse([['URL', 'Name', formula('=')], ...rows], { quotes: true });
  return sendUpload(client, path, { content, name: 'sites.csv' });
}

it('covers every endpoint that returns a CSV', () => {
  // Bank files have only the characters that banks accept (tests/unit/payouts/csv-file.test.ts), and the marketplace's
  // figures and the reports of tax are dates, codes and numbers. The list for forms 1099 has the cells of the one for DAC7.
  const reports = ['tax', 'oss', '1099'].map((name) => `/api/admin/reports/${name}`);
  const others = ['/api/admin/payouts/export', '/dashboard/features/money/export', ...reports];
  const answering = routes.filter(
    ({ method, path }) =>
      (/\/export$|(guest-posts|sites)\/(upload|import)$|^\/api\/admin\/reports\//.test(path) &&
        !others.includes(path)) ||
      (path === '/reports/[token]' && method === 'GET'),
  );
  expect(Object.keys(lists).sort()).toEqual(answering.map(({ path }) => path).sort());
});

describe.each(Object.entries(lists))('%s', (_, read) => {
  it('escapes formulas in every cell, and keeps every text', async () => {
    const csv = String(await read());
    const { data, errors } = Papa.parse<string[]>(csv.replace(/^\ufeff/, ''), { skipEmptyLines: true });
    expect(errors).toEqual([]);
    const cells = data.flat();
    expect(cells.filter((cell) => cell.includes(word)).length).toBeGreaterThanOrEqual(beginnings.length);
    // A plain number is no formula, whatever its sign.
    expect(cells.filter((cell) => /^\s*[=+\-@＝＋－＠|%]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell))).toEqual([]);
    for (const sign of beginnings) {
      const kept = formula(sign).trim();
      expect(
        cells.some((cell) => cell.replace(/^\s*'/, '').trim() === kept),
        sign,
      ).toBe(true);
    }
  });
});

it('leaves a line in the audit log for each list that staff export', async () => {
  await admin.get('/dashboard/features/money/export');
  const lines = await db()
    .selectDistinct({ list: auditLogs.entityId })
    .from(auditLogs)
    .where(and(eq(auditLogs.action, 'list.exported'), eq(auditLogs.userId, adminId)));
  expect(lines.map(({ list }) => list).sort()).toEqual([
    ...['audit-log', 'disputes', 'link-checks', 'marketplace', 'orders', 'payouts', 'sellers', 'settlement', 'sites'],
    ...['transactions', 'users', 'wallets'],
  ]);
});
