import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '@/lib/ids';
import { rotatingThird } from '@/scripts/testing/tier';
import { makeAccount } from '@/tests/factories/make-account';
import { sendBody } from '@/tests/setup/send-body';
import { jsonBodies } from './json-bodies';
import { routes } from './routes';

/** A user as whom, and with whose id, nothing may be written. */
let victim = '';
beforeAll(async () => {
  victim = (await makeAccount()).userId;
});

/** What no caller may set: owners, permissions, states, money, times, and prototype keys of JavaScript objects. */
const privileged = (): Record<string, unknown> => ({
  ...{ id: 999_999, _id: newId(), userId: victim, user_id: victim, ownerId: victim, owner_id: victim, user: victim },
  ...{ createdBy: victim, created_by: victim, uploadedBy: victim, actor: { userId: victim, role: 'Admin' } },
  ...{ role: 'Admin', roles: ['Admin'], roleName: 'Admin', role_name: 'Admin', isAdmin: true, is_admin: true },
  ...{ isBuiltIn: true, is_built_in: true, permissions: ['ManageUsers'], features: ['Assign User Roles'] },
  ...{ status: 'Approved', state: 'paid', isOnSale: true, is_on_sale: true, mode: 'live', kind: 'refund' },
  ...{ price: 0.01, priceCents: 1, price_cents: 1, amount: 0.01, amountCents: 1, amount_cents: 1, chargedCents: 0 },
  ...{ charged_cents: 0, totalCents: 0, chargeAmountMinor: 1, usdMicrosPerUnit: 1, quantity: 1_000, rateMicros: 1 },
  ...{ publicPrice: 0.01, public_price: 0.01, adminPrice: 0.01, admin_price: 0.01, publicPriceUsdCents: 1 },
  ...{ sellerPriceCents: 1, adminPriceCents: 1, publicPriceCents: 1, currency: 'CNY', publicCurrency: 'CNY' },
  ...{ balance: 1_000_000, balanceCents: 100_000_000, balance_cents: 100_000_000, wallet: { balance: 1_000_000 } },
  ...{ email: 'victim@example.com', emailVerifiedAt: '2001-01-01', email_verified: true, passwordHash: 'x' },
  ...{ password_hash: 'x', totpSecret: 'x', totpEnabledAt: null, sessionId: 'x', source: 'script', ip: '1.2.3.4' },
  ...{ version: 77, refundCount: 5, createdAt: '2001-01-01', created_at: '2001-01-01', updatedAt: '2001-01-01' },
  ...{ deletedAt: '2001-01-01', deleted_at: '2001-01-01', linkUrl: 'https://evil.example', adminComments: 'Mine' },
  ...{
    projectDomain: 'evil.example',
    website: 'evil.example',
    packageName: 'Evil',
    checkoutId: 'x',
    isRejection: true,
  },
  ...{
    siteId: 1,
    packageId: 1,
    projectId: 'x',
    topupId: 'x',
    providerReference: 'x',
    checkoutUrl: 'https://evil.example',
  },
});

/** As JSON text, because `__proto__` in an object literal sets its prototype. */
function withPrivileged(body: Record<string, unknown>): string {
  const undeclared = Object.entries(privileged()).filter(([name]) => !Object.hasOwn(body, name));
  const all = JSON.stringify({ ...body, ...Object.fromEntries(undeclared) });
  const rights = '{"role":"Admin","isAdmin":true,"status":"Approved","balanceCents":100000000}';
  return `${all.slice(0, -1)},"__proto__":${rights},"constructor":{"prototype":${rights}}}`;
}

/** Values that differ between calls without the caller's choice: ids, counters and times. */
function comparable(written: unknown): unknown {
  const text = JSON.stringify(written, (name, value: unknown) => {
    if (typeof value === 'number' && /^(id|\w+Id)$/.test(name)) return '#';
    return name === 'passwordHash' && value !== 'x' ? 'a hash' : value;
  });
  const named = text
    .replaceAll(victim, 'VICTIM')
    .replace(/[0-9a-hjkmnp-tv-z]{26}/g, '#')
    .replace(/\b[0-9a-f]{64}\b/g, 'a sum')
    .replace(/Seller #?\w{4}\b|User \w{4}\b|Admin \w{4}\b/g, 'a name')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a moment');
  return JSON.parse(named);
}

const reading = routes.filter(({ body }) => body.length > 0);

it('covers every JSON body', () => {
  expect(Object.keys(jsonBodies).sort()).toEqual(reading.map(({ method, path }) => `${method} ${path}`).sort());
});

it.each(rotatingThird(reading.filter(({ body }) => !body.includes('*'))))(
  '$method $path: the examples have every field of the body',
  async ({ method, path, body }) => {
    const calls = await Promise.all((jsonBodies[`${method} ${path}`] ?? []).map((make) => make()));
    const fields = new Set(calls.flatMap((call) => Object.keys(call.body)));
    expect([...fields].sort()).toEqual([...body].sort());
  },
);

describe.each(rotatingThird(Object.entries(jsonBodies)))('%s', (address, calls) => {
  it.each(calls.map((make) => ({ make })))('writes the declared fields and no others (body %#)', async ({ make }) => {
    const [method = ''] = address.split(' ');
    const [plain, loaded] = [await make(), await make()];
    const first = await plain.client.request(plain.path, { method, body: plain.body });
    if (plain.isNotConfigured) expect(first.status).toBe(503);
    else expect(first.status, JSON.stringify(first.body)).toBeLessThan(300);
    const before = comparable(await loaded.written());
    const second = await sendBody(loaded.client, loaded.path, withPrivileged(loaded.body), { method });
    if (loaded.isStrict) {
      expect(second.status).toBe(400);
      expect(comparable(await loaded.written())).toEqual(before);
    } else {
      expect(second.status, JSON.stringify(second.body)).toBe(first.status);
      expect(comparable(await loaded.written())).toEqual(comparable(await plain.written()));
    }
  });
});
