import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { packages } from '@/db/schema/packages';
import type { Actor } from '@/lib/access/actor';
import { setExchangeRate } from '@/lib/approvals/set-exchange-rate';
import { createOrder } from '@/lib/orders/order/create';
import { createPackageBody, parseLinks, updatePackageBody } from '@/lib/packages/contract';
import {
  createPackage,
  deletePackage,
  getPackage,
  listOfferedPackages,
  listPackages,
  updatePackage,
} from '@/lib/packages/packages';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';

let admin: Actor;
beforeAll(async () => {
  admin = await makeUser('Admin');
});

const add = (body: Record<string, unknown>) =>
  createPackage(admin, createPackageBody.parse({ name: 'Links', price: 100, ...body }));
const edit = (id: number, body: Record<string, unknown>) => updatePackage(admin, id, updatePackageBody.parse(body));
const offeredIds = async () => (await listOfferedPackages()).map(({ id }) => id);

describe('a package', () => {
  it("is on sale when created with a price, at its price in the wallet's currency", async () => {
    await setExchangeRate(admin, { currency: 'EUR', rate: 1_085_000 });
    const { id, version } = await add({ price: '249.5', currency: 'EUR', desc: 'Three links' });
    expect(version).toBe(1);
    const offered = (await listOfferedPackages()).find((one) => one.id === id);
    expect(offered).toMatchObject({
      priceCents: 24_950,
      currency: 'EUR',
      usdCents: 27_071,
      description: 'Three links',
    });
  });

  it.each(['', null, 0, '0.00'])('is stored without a price (%j), and cannot be ordered', async (price) => {
    const { id, priceCents, isOnSale } = await add({ price });
    expect([priceCents, isOnSale]).toEqual([0, false]);
    expect(await offeredIds()).not.toContain(id);
    const buyer = await makeUser();
    const projectId = await makeProject(buyer);
    const order = { kind: 'package' as const, packageId: id, quantity: 1, projectId };
    await expect(createOrder(buyer, order)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('cannot be on sale without a price, also in plain SQL', async () => {
    const refused = { code: 'invalid_input', details: { fields: { isOnSale: expect.any(String) } } };
    await expect(add({ price: 0, isOnSale: true })).rejects.toMatchObject(refused);
    const { id } = await add({ price: 0 });
    await expect(edit(id, { isOnSale: true })).rejects.toMatchObject(refused);
    await expect(db().update(packages).set({ isOnSale: true }).where(eq(packages.id, id))).rejects.toThrow();
    expect(await edit(id, { isOnSale: true, price: 5 })).toMatchObject({ isOnSale: true, priceCents: 500 });
  });

  it('goes off sale when its price is removed', async () => {
    const { id } = await add({});
    expect(await edit(id, { price: '' })).toMatchObject({ isOnSale: false, priceCents: 0 });
    expect(await offeredIds()).not.toContain(id);
  });

  it('is not sold in a currency without a rate', async () => {
    await expect(add({ currency: 'INR' })).rejects.toMatchObject({
      details: { fields: { currency: expect.any(String) } },
    });
    const { id } = await add({ currency: 'INR', isOnSale: false });
    await expect(edit(id, { isOnSale: 'true' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('rejects a stale edit and keeps the other edit', async () => {
    const { id } = await add({});
    await edit(id, { name: 'First', version: 1 });
    await expect(edit(id, { name: 'Second', version: 1 })).rejects.toMatchObject({ code: 'conflict' });
    expect(await getPackage(id)).toMatchObject({ name: 'First', version: 2 });
  });

  it('accepts one of twenty edits of the same version', async () => {
    const { id } = await add({});
    const edits = Array.from({ length: 20 }, (_, index) => edit(id, { desc: `Edit ${index}`, version: 1 }));
    const outcomes = await Promise.allSettled(edits);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await getPackage(id)).version).toBe(2);
  });

  it('leaves every list when deleted; its orders keep name and price', async () => {
    const { id } = await add({ name: 'Kept', price: 12 });
    const buyer = await makeUser();
    await fundWallet(buyer.userId, 5_000);
    const projectId = await makeProject(buyer);
    const order = { kind: 'package' as const, packageId: id, quantity: 2, projectId };
    const { orders } = await createOrder(buyer, order);
    await edit(id, { name: 'Renamed', price: 99 });
    await deletePackage(admin, id);
    expect(orders[0]).toMatchObject({ packageName: 'Kept', price: 24, chargedCents: 2_400 });
    await expect(createOrder(buyer, order)).rejects.toMatchObject({ code: 'conflict' });
    await expect(getPackage(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(deletePackage(admin, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(edit(id, { name: 'Again' })).rejects.toMatchObject({ code: 'not_found' });
    expect((await listPackages({ limit: 500, offset: 0 })).rows.map((row) => row.id)).not.toContain(id);
    await expectSoundBooks();
  });

  it('audits changes, and nothing without a change', async () => {
    const { id } = await add({ name: 'Told' });
    await edit(id, { name: 'Told', price: 100 });
    await edit(id, { price: '120.5' });
    const lines = await db()
      .select()
      .from(auditLogs)
      .where(eq(auditLogs.entityId, String(id)));
    expect(lines.filter(({ entityType }) => entityType === 'package').map(({ action }) => action)).toEqual([
      'package.created',
      'package.updated',
    ]);
    expect(lines.find(({ action }) => action === 'package.updated')).toMatchObject({
      before: { priceCents: 10_000 },
      after: { priceCents: 12_050 },
    });
  });

  it.each([
    [{ name: ' ' }, 'name'],
    [{ price: 'ten' }, 'price'],
    [{ price: -1 }, 'price'],
    [{ price: 1_000_001 }, 'price'],
    [{ price: Number.NaN }, 'price'],
    [{ currency: 'CNY' }, 'currency'],
    [{ links: '[1, 2' }, 'links'],
    [{ links: 'a,b\n1' }, 'links'],
    [{ links: '"open' }, 'links'],
    [{ isOnSale: 'yes' }, 'isOnSale'],
  ])('is rejected as %j', (body, field) => {
    const parsed = createPackageBody.safeParse({ name: 'Links', price: 1, ...body });
    expect(parsed.error?.issues[0]?.path).toEqual([field]);
  });

  it('stores every price to the cent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (cents) => {
        for (const price of [cents / 100, (cents / 100).toFixed(2)]) {
          expect(createPackageBody.parse({ name: 'Links', price }).priceCents).toBe(cents);
        }
      }),
    );
  });
});

describe('links', () => {
  it.each([
    ['', { header: null, rows: [] }],
    ['type,quantity\nGuest posts,3', { header: ['type', 'quantity'], rows: [['Guest posts', '3']] }],
    [
      'https://a.example.com, https://b.example.com',
      { header: null, rows: [['https://a.example.com', 'https://b.example.com']] },
    ],
    [
      '[{"type":"Guest posts","n":3},{"type":"Other"}]',
      {
        header: ['type', 'n'],
        rows: [
          ['Guest posts', '3'],
          ['Other', ''],
        ],
      },
    ],
    ['["a", {"b": 1}]', { header: ['b'], rows: [['a'], ['1']] }],
    ['{"dr": 20}', { header: null, rows: [['dr', '20']] }],
  ])('%j is parsed', (text, table) => {
    expect(parseLinks(text)).toEqual(table);
  });

  it('are limited in columns', () => {
    const records = (count: number) => JSON.stringify(Array.from({ length: count }, (_, at) => ({ [`n${at}`]: 1 })));
    expect(parseLinks(records(50))).toMatchObject({ header: { length: 50 }, rows: { length: 50 } });
    expect(parseLinks(records(1_500))).toBe('These records have 1500 different keys; use at most 50.');
  });

  it('are parsed or rejected with a message for any input, and stored as entered', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const read = parseLinks(text);
        const body = createPackageBody.safeParse({ name: 'Links', price: 1, links: text });
        if (typeof read === 'string') expect(read).toMatch(/\.$/);
        else expect(body.data?.links).toBe(text);
      }),
    );
  });
});
