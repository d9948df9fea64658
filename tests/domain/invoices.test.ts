import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { invoiceCounters, invoices } from '@/db/schema/invoices';
import { orderStatuses, orders } from '@/db/schema/orders';
import { packages } from '@/db/schema/packages';
import { exchangeRates } from '@/db/schema/settings';
import { users } from '@/db/schema/users';
import { newId } from '@/lib/ids';
import { issueInvoices, readInvoices } from '@/lib/invoices/issue';
import { invoiceNumber } from '@/lib/invoices/views';
import { createOrder } from '@/lib/orders/create';
import { deleteOrder } from '@/lib/orders/delete';
import { getNetPaidCents, updateOrder } from '@/lib/orders/update';
import { parseInput } from '@/lib/platform/http/parse';
import { defaultBranding } from '@/lib/settings/branding/branding';
import { saveBranding } from '@/lib/settings/branding/save-branding';
import { saveBrandingInput } from '@/lib/settings/branding/schemas';
import { fundWallet } from '../factories/fund-wallet';
import { makeOrder } from '../factories/make-order';
import { makeProject } from '../factories/make-project';
import { actorOf, makeUser } from '../factories/make-user';
import { expectSoundBooks } from '../setup/expect-sound-books';
import { settle } from '../setup/settle';

/** A separate year for each test, so that its numbers start at 1. */
let year = 2100;
function newYear(month = 5, day = 1): Date {
  year += 1;
  return new Date(Date.UTC(year, month, day));
}
const numbersOf = async (at: Date) =>
  (await db().select().from(invoices).where(eq(invoices.year, at.getUTCFullYear())))
    .map(({ kind, number }) => `${kind} ${number}`)
    .sort();
const upTo = (last: number, kind = 'invoice') =>
  Array.from({ length: last }, (_, index) => `${kind} ${index + 1}`).sort();

describe('the invoice number', () => {
  it('is assigned at the first issue and then stays the same', async () => {
    const at = newYear();
    const { id, buyer } = await makeOrder(12_300);
    const [first] = await issueInvoices(buyer, id, at);
    expect(first).toMatchObject({ kind: 'invoice', number: 1, amountCents: 12_300, movementKey: `order:${id}` });
    expect(await issueInvoices(buyer, id, newYear())).toEqual([first]);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityType, 'invoice'));
    expect(lines.filter(({ details }) => details.includes(`order #${id}.`))).toHaveLength(1);
    expect(lines.at(-1)).toMatchObject({ action: 'invoice.issued', userId: buyer.userId });
  });

  it('has no gaps or duplicates when 40 invoices are issued concurrently', async () => {
    const at = newYear();
    const made = await Promise.all(Array.from({ length: 40 }, () => makeOrder(1_000)));
    await Promise.all(made.map(({ id, buyer }) => issueInvoices(buyer, id, at)));
    expect(await numbersOf(at)).toEqual(upTo(40));
  });

  it('is the same for 40 concurrent requests of one order', async () => {
    const at = newYear();
    const { id, buyer } = await makeOrder(1_000);
    const answers = await Promise.all(Array.from({ length: 40 }, () => issueInvoices(buyer, id, at)));
    expect(new Set(answers.flat().map(invoiceNumber))).toEqual(new Set([`INV-${at.getUTCFullYear()}-000001`]));
    expect(await numbersOf(at)).toEqual(upTo(1));
  });

  it('is reused when issuing fails', async () => {
    const at = newYear();
    const [one, other] = [await makeOrder(1_000), await makeOrder(1_000)];
    // The audit line is written last, and text in PostgreSQL cannot contain a NUL.
    const broken = { ...one.buyer, requestId: 'x\u0000y' };
    await expect(issueInvoices(broken, one.id, at)).rejects.toThrow();
    expect(await numbersOf(at)).toEqual([]);
    await issueInvoices(other.buyer, other.id, at);
    await issueInvoices(one.buyer, one.id, at);
    expect(await numbersOf(at)).toEqual(upTo(2));
  });

  it('has no gaps when some of many concurrent issues fail', async () => {
    const at = newYear();
    const made = await Promise.all(Array.from({ length: 20 }, () => makeOrder(1_000)));
    const results = await Promise.allSettled(
      made.map(({ id, buyer }, index) =>
        issueInvoices(index % 3 === 0 ? { ...buyer, requestId: '\u0000' } : buyer, id, at),
      ),
    );
    const issued = results.filter(({ status }) => status === 'fulfilled').length;
    expect(issued).toBe(13);
    expect(await numbersOf(at)).toEqual(upTo(issued));
  });

  it('starts again each year, in UTC', async () => {
    const [one, other] = [await makeOrder(1_000), await makeOrder(1_000)];
    newYear();
    const nextMoment = newYear(0);
    const lastMoment = new Date(nextMoment.getTime() - 1);
    const [old] = await issueInvoices(one.buyer, one.id, lastMoment);
    const [young] = await issueInvoices(other.buyer, other.id, nextMoment);
    expect([old, young].map((row) => row && invoiceNumber(row))).toEqual([
      `INV-${year - 1}-000001`,
      `INV-${year}-000001`,
    ]);
  });

  it('cannot be assigned twice by any writer', async () => {
    const { id, buyer } = await makeOrder(1_000);
    const [row] = await issueInvoices(buyer, id, newYear());
    if (!row) throw new Error('No invoice.');
    await expect(
      db()
        .insert(invoices)
        .values({ ...row, id: newId(), movementKey: 'another' }),
    ).rejects.toThrow();
    await expect(
      db()
        .insert(invoices)
        .values({ ...row, id: newId(), number: row.number + 1 }),
    ).rejects.toThrow();
  });
});

describe('a refund', () => {
  it('has its own credit note and leaves the invoice unchanged', async () => {
    const at = newYear();
    const admin = await makeUser('Admin');
    const { id, buyer } = await makeOrder(7_500);
    const [before] = await readInvoices(buyer, id);
    await updateOrder(admin, id, { status: 'Refunded' });
    const [invoice, credit] = await readInvoices(buyer, id);
    expect(invoice).toEqual({
      ...before,
      counterparts: [{ number: credit?.number, at: credit?.movedAt }],
      creditedCents: before?.totalCents,
    });
    expect(credit).toMatchObject({
      kind: 'credit_note',
      number: expect.stringMatching(/^CN-\d{4}-\d{6}$/),
      totalCents: 7_500,
      counterparts: [{ number: before?.number }],
    });
    expect(await issueInvoices(buyer, id, at)).toHaveLength(2);
  });

  it('that is reversed gets a new invoice, and each movement of money has its document', async () => {
    const at = newYear();
    const admin = await makeUser('Admin');
    const { id, buyer } = await makeOrder(7_500);
    for (const status of ['Refunded', 'Pending', 'Refunded', 'Completed', 'Refunded'] as const) {
      await updateOrder(admin, id, { status });
    }
    const rows = await issueInvoices(buyer, id, at);
    expect(rows.map(({ kind, movementKey }) => [kind, movementKey])).toEqual([
      ['invoice', `order:${id}`],
      ['credit_note', `refund:${id}:1`],
      ['invoice', `recharge:${id}:1`],
      ['credit_note', `refund:${id}:2`],
      ['invoice', `recharge:${id}:2`],
      ['credit_note', `refund:${id}:3`],
    ]);
    expect(await numbersOf(at)).toEqual([...upTo(3, 'credit_note'), ...upTo(3)]);
    const views = await readInvoices(buyer, id);
    expect(views.map(({ counterparts }) => counterparts.map(({ number }) => number))).toEqual(
      [1, 0, 3, 2, 5, 4].map((index) => [views[index]?.number]),
    );
    await expectSoundBooks();
  });

  it('does not deadlock: invoices and credit notes are numbered concurrently', async () => {
    const at = newYear();
    const admin = await makeUser('Admin');
    const made = await Promise.all(Array.from({ length: 20 }, () => makeOrder(1_000)));
    for (const [index, { id, buyer }] of made.entries()) {
      // Half of them have their invoice already and need a credit note first, then another invoice.
      if (index % 2 === 0) await issueInvoices(buyer, id, at);
      await updateOrder(admin, id, { status: 'Refunded' });
      if (index % 2 === 0) await updateOrder(admin, id, { status: 'Pending' });
    }
    await Promise.all(made.map(({ id, buyer }) => issueInvoices(buyer, id, at)));
    expect(await numbersOf(at)).toEqual([...upTo(20, 'credit_note'), ...upTo(30)].sort());
  });
});

it('any history of an order has documents that sum to the books, each movement once', async () => {
  const admin = await makeUser('Admin');
  const step = fc.oneof(fc.constantFrom(...orderStatuses), fc.constant('open' as const));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (story) => {
      const at = newYear();
      const { id, buyer } = await makeOrder(4_321);
      const seen: string[] = [];
      for (const now of story) {
        if (now !== 'open') await updateOrder(admin, id, { status: now });
        else seen.push(...(await issueInvoices(buyer, id, at)).map(invoiceNumber));
      }
      const rows = await issueInvoices(buyer, id, at);
      const sumOf = (kind: string) =>
        rows.filter((row) => row.kind === kind).reduce((sum, { amountCents }) => sum + amountCents, 0);
      expect(sumOf('invoice') - sumOf('credit_note')).toBe(await getNetPaidCents(db(), id));
      // Issued documents stay, and kinds alternate: nothing is credited twice.
      expect(rows.map(invoiceNumber)).toEqual(expect.arrayContaining(seen));
      expect(rows.map(({ kind }) => kind)).toEqual(rows.map((_, index) => (index % 2 ? 'credit_note' : 'invoice')));
      const credits = Math.floor(rows.length / 2);
      expect(await numbersOf(at)).toEqual([...upTo(credits, 'credit_note'), ...upTo(rows.length - credits)].sort());
    }),
    { numRuns: 25 },
  );
  await expectSoundBooks();
});

describe('the content of an invoice', () => {
  it('shows the order in its own currency and the sum in USD, without tax', async () => {
    const buyer = await makeUser();
    await fundWallet(buyer.userId, 50_000);
    await db().insert(exchangeRates).values({ id: newId(), currency: 'EUR', usdMicrosPerUnit: 1_085_000 });
    const [pack] = await db()
      .insert(packages)
      .values({ name: 'Starter', description: 'Three posts', priceCents: 9_999, currency: 'EUR' })
      .returning();
    const projectId = await makeProject(buyer);
    const { orders: made } = await createOrder(buyer, {
      kind: 'package',
      projectId,
      packageId: pack?.id ?? 0,
      quantity: 3,
    });
    const [invoice] = await readInvoices(buyer, made[0]?.id ?? 0);
    // 299.97 EUR at 1.085 USD.
    expect(invoice).toMatchObject({
      line: {
        title: 'Starter',
        details: ['Three posts', 'For shop.example.com, linking to https://shop.example.com/spades'],
        quantity: 3,
        unitPriceMinor: 9_999,
        amountMinor: 29_997,
        currency: 'EUR',
      },
      usdMicrosPerUnit: 1_085_000,
      subtotalCents: 32_547,
      taxCents: 0,
      totalCents: 32_547,
      counterparts: [],
    });
  });

  it("shows the buyer's name at the time of issue", async () => {
    const { id, buyer } = await makeOrder(1_000);
    const [before] = await readInvoices(buyer, id);
    await db().update(users).set({ name: 'Renamed since' }).where(eq(users.id, buyer.userId));
    const [after] = await readInvoices(await actorOf(buyer.userId), id);
    expect(after?.buyer).toEqual({ name: buyer.name, email: buyer.email });
    expect(after).toEqual(before);
  });

  it("shows the seller's name in branding at the time of issue", async () => {
    const admin = await makeUser('Admin');
    const [one, other] = [await makeOrder(1_000), await makeOrder(1_000)];
    const [early] = await readInvoices(one.buyer, one.id);
    const { logo: _none, ...texts } = defaultBranding;
    const edit = { ...texts, siteName: 'Acme Links', postalAddress: '1 Main Street\nDublin', version: 0 };
    await saveBranding(admin, parseInput(saveBrandingInput, edit));
    const [late] = await readInvoices(other.buyer, other.id);
    expect(late?.seller).toEqual({ name: 'Acme Links', address: '1 Main Street\nDublin' });
    expect((await readInvoices(one.buyer, one.id))[0]?.seller).toEqual(early?.seller);
    expect(early?.seller).toEqual({ name: defaultBranding.siteName, address: '' });
  });
});

describe("another user's invoice", () => {
  it('is not found, and the request assigns no number', async () => {
    const at = newYear();
    const { id, buyer } = await makeOrder(1_000);
    const others = [await makeUser(), await makeUser('Seller'), await makeUser('Admin')];
    const { values, codes } = await settle(others.map((other) => issueInvoices(other, id, at)));
    expect([values, codes]).toEqual([[], ['not_found', 'not_found', 'not_found']]);
    expect((await settle([issueInvoices(buyer, 2_000_000_000, at)])).codes).toEqual(['not_found']);
    expect(await numbersOf(at)).toEqual([]);
    expect(await db().select().from(invoiceCounters).where(eq(invoiceCounters.year, at.getUTCFullYear()))).toEqual([]);
  });

  it('is not shown after its order is deleted; its number stays used', async () => {
    const at = newYear();
    const { id, buyer } = await makeOrder(1_000);
    await issueInvoices(buyer, id, at);
    await deleteOrder(await makeUser('Admin'), id);
    await expect(issueInvoices(buyer, id, at)).rejects.toMatchObject({ code: 'not_found' });
    expect(await numbersOf(at)).toEqual(upTo(1));
    const [row] = await db().select().from(orders).where(eq(orders.id, id));
    expect(row?.deletedAt).not.toBeNull();
  });
});
