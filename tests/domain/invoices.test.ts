import { asc, eq } from 'drizzle-orm';
import fc from 'fast-check';
import postgres from 'postgres';
import { afterAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { invoices } from '@/db/schema/invoices';
import { orderStatuses, orders } from '@/db/schema/orders';
import { packages } from '@/db/schema/packages';
import { exchangeRates } from '@/db/schema/settings';
import { users } from '@/db/schema/users';
import { newId } from '@/lib/ids';
import { issueInvoices } from '@/lib/invoices/issue';
import { documentNumber } from '@/lib/invoices/numbers';
import { listInvoices } from '@/lib/invoices/queries';
import { createOrder } from '@/lib/orders/order/create';
import { deleteOrder } from '@/lib/orders/order/delete';
import { getNetPaidCents } from '@/lib/orders/order/queries';
import { updateOrder } from '@/lib/orders/order/update';
import { parseInput } from '@/lib/platform/http/parse';
import { defaultBranding } from '@/lib/settings/branding/branding';
import { saveBranding } from '@/lib/settings/branding/save-branding';
import { saveBrandingInput } from '@/lib/settings/branding/schemas';
import { propertyRuns } from '@/scripts/testing/tier';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeOrder } from '@/tests/factories/make-order';
import { makeProject } from '@/tests/factories/make-project';
import { makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { settle } from '@/tests/setup/settle';

const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 2, onnotice: () => undefined });
afterAll(() => owner.end());

/** A separate year for each test, so that its numbers start at 1. Earlier movements get their documents before. */
let year = 2100;
async function newYear(month = 5, day = 1): Promise<Date> {
  await issueInvoices();
  year += 1;
  return new Date(Date.UTC(year, month, day));
}
const issuedIn = (at: Date) =>
  db().select().from(invoices).where(eq(invoices.year, at.getUTCFullYear())).orderBy(asc(invoices.number));
const numbersOf = async (at: Date) => (await issuedIn(at)).map(({ kind, number }) => `${kind} ${number}`).sort();
const upTo = (last: number, kind = 'invoice') =>
  Array.from({ length: last }, (_, index) => `${kind} ${index + 1}`).sort();
const documentsOf = async (orderId: number) =>
  (await db().select().from(invoices).where(eq(invoices.orderId, orderId))).sort((one, other) =>
    one.id.localeCompare(other.id),
  );

/** The keys of the movements in the order in which the ledger moved the money, and of the documents of a year. */
async function readOrderOf(at: Date) {
  const moved = await owner<{ key: string; kind: string }[]>`
    select t.key, t.kind from ledger.transfers t join invoices i on i.movement_key = t.key
    where i.year = ${at.getUTCFullYear()} order by t.position nulls first, t.id`;
  const keysOf = (isCredit: boolean) =>
    moved.filter(({ kind }) => (kind === 'order_refund') === isCredit).map(({ key }) => key);
  const rows = await issuedIn(at);
  const issuedOf = (kind: string) => rows.filter((row) => row.kind === kind).map(({ movementKey }) => movementKey);
  return {
    moved: [keysOf(false), keysOf(true)],
    issued: [issuedOf('invoice'), issuedOf('credit_note')],
  };
}

describe('the invoice number', () => {
  it('is assigned when the money moves, in the order of the payments, whichever buyer reads first', async () => {
    const at = await newYear();
    const made = [await makeOrder(1_100), await makeOrder(1_200), await makeOrder(1_300)];
    const last = made.at(-1);
    if (!last) throw new Error('No order.');
    const { invoices: shown } = await listInvoices(last.buyer, last.id);
    expect(shown).toHaveLength(1);
    const rows = await Promise.all(made.map(({ id }) => documentsOf(id)));
    const numbers = rows.flat().map(({ number }) => number);
    expect(numbers).toEqual([1, 2, 3].map((step) => (numbers[0] ?? 0) + step - 1));
    expect(rows.flat().map(({ amountCents }) => amountCents)).toEqual([1_100, 1_200, 1_300]);
    expect(await issueInvoices({ at })).toEqual({ issued: 0 });
    expect(await numbersOf(at)).toEqual([]);
  });

  it('stays the same, and its issue has one line in the audit log', async () => {
    const at = await newYear();
    const { id, buyer } = await makeOrder(12_300);
    expect(await issueInvoices({ at })).toEqual({ issued: 2 });
    const [first] = await documentsOf(id);
    expect(first).toMatchObject({ kind: 'invoice', number: 1, amountCents: 12_300, movementKey: `order:${id}` });
    expect(await issueInvoices({ at: await newYear() })).toEqual({ issued: 0 });
    expect((await listInvoices(buyer, id)).invoices[0]?.number).toBe(first && documentNumber(first));
    expect(await documentsOf(id)).toEqual([first]);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityType, 'invoice'));
    expect(lines.filter(({ details }) => details.includes(`order #${id}.`))).toMatchObject([
      { action: 'invoice.issued', userId: null, source: 'job' },
    ]);
  });

  it('has no gaps and follows the payments when many orders, refunds and runs of the job are concurrent', async () => {
    const at = await newYear();
    const admin = await makeUser('Admin');
    const rich = await makeUser();
    await fundWallet(rich.userId, 20_000);
    let isOver = false;
    const run = async () => {
      while (!isOver) await issueInvoices({ at });
    };
    const runs = [run(), run(), run()];
    const ordered = await Promise.allSettled([
      // More than the wallet can pay: some of these roll back.
      ...Array.from({ length: 24 }, () => spendMoney(rich, 1_000)),
      ...Array.from({ length: 24 }, async (_, index) => {
        const { id } = await makeOrder(1_000 + index);
        if (index % 3 === 0) await updateOrder(admin, id, { status: 'Refunded' });
        if (index % 6 === 0) await updateOrder(admin, id, { status: 'Pending' });
      }),
    ]);
    isOver = true;
    await Promise.all(runs);
    await issueInvoices({ at });
    expect(ordered.filter(({ status }) => status === 'fulfilled')).toHaveLength(44);
    expect(await numbersOf(at)).toEqual([...upTo(8, 'credit_note'), ...upTo(48)].sort());
    const { moved, issued } = await readOrderOf(at);
    expect(issued).toEqual(moved);
    await expectSoundBooks();
  }, 120_000);

  it('waits for a payment that moved money earlier and commits later', async () => {
    const at = await newYear();
    const { id: early, buyer } = await makeOrder(500);
    let running: Promise<unknown> | undefined;
    const key = `refund:${early}:1`;
    await owner.begin(async (tx) => {
      await tx`update orders set status = 'Refunded', refund_count = 1 where id = ${early}`;
      await tx`select ledger.post_transfer(${newId()}, ${key}, 'order_refund', 'revenue', '', 'wallet', ${buyer.userId}, 500, 'USD', ${early})`;
      const { id: late } = await makeOrder(600);
      await updateOrder(await makeUser('Admin'), late, { status: 'Refunded' });
      running = issueInvoices({ at });
      expect(await Promise.race([running, tx`select pg_sleep(0.5)`.then(() => 'waiting')])).toBe('waiting');
      expect(await documentsOf(late)).toEqual([]);
    });
    await running;
    const { moved, issued } = await readOrderOf(at);
    expect(issued).toEqual(moved);
    expect(issued[1]?.[0]).toBe(key);
    await expectSoundBooks();
  });

  it('is used by the next document when a run fails', async () => {
    const at = await newYear();
    const { id } = await makeOrder(1_000);
    await makeOrder(1_100);
    const { id: other } = await makeOrder(1_200);
    const [earlier] = await db().select().from(invoices).limit(1);
    if (!earlier) throw new Error('No document.');
    const taken = { ...earlier, id: newId(), year: at.getUTCFullYear(), number: 3, movementKey: 'taken' };
    await db().insert(invoices).values(taken);
    await expect(issueInvoices({ at })).rejects.toThrow();
    expect(await documentsOf(id)).toEqual([]);
    await expect(owner`delete from invoices where id = ${taken.id}`).rejects.toMatchObject({ code: 'LM004' });
    await owner.begin(async (tx) => {
      await tx`alter table invoices disable trigger user`;
      await tx`delete from invoices where id = ${taken.id}`;
      await tx`alter table invoices enable trigger user`;
    });
    expect(await issueInvoices({ at })).toEqual({ issued: 6 });
    expect(await numbersOf(at)).toEqual(upTo(3));
    expect(await documentsOf(other)).toMatchObject([{ number: 3 }]);
  });

  it('starts again each year, in UTC', async () => {
    await newYear();
    const nextMoment = await newYear(0);
    const lastMoment = new Date(nextMoment.getTime() - 1);
    const { id: old } = await makeOrder(1_000);
    await issueInvoices({ at: lastMoment });
    const { id: young } = await makeOrder(1_000);
    await issueInvoices({ at: nextMoment });
    expect([...(await documentsOf(old)), ...(await documentsOf(young))].map(documentNumber)).toEqual([
      `INV-${year - 1}-000001`,
      `INV-${year}-000001`,
    ]);
  });

  it('cannot be assigned twice by any writer', async () => {
    const { id } = await makeOrder(1_000);
    await issueInvoices();
    const [row] = await documentsOf(id);
    if (!row) throw new Error('No invoice.');
    await expect(
      db()
        .insert(invoices)
        .values({ ...row, id: newId(), movementKey: 'another' }),
    ).rejects.toThrow();
    await expect(
      db()
        .insert(invoices)
        .values({ ...row, id: newId(), number: row.number + 1_000 }),
    ).rejects.toThrow();
  });
});

describe('a refund', () => {
  it('has its own credit note and leaves the invoice unchanged', async () => {
    const admin = await makeUser('Admin');
    const { id, buyer } = await makeOrder(7_500);
    const { invoices: paid } = await listInvoices(buyer, id);
    await updateOrder(admin, id, { status: 'Refunded' });
    const { invoices: shown, pending } = await listInvoices(buyer, id);
    const [invoice, credit] = shown;
    expect(pending).toBeNull();
    expect(invoice).toEqual({
      ...paid[0],
      counterparts: [{ number: credit?.number, at: credit?.movedAt }],
      creditedCents: paid[0]?.totalCents,
    });
    expect(credit).toMatchObject({
      kind: 'credit_note',
      number: expect.stringMatching(/^CN-\d{4}-\d{6}$/),
      totalCents: 7_500,
      counterparts: [{ number: paid[0]?.number }],
    });
    expect(shown).toHaveLength(2);
  });

  it('that is reversed gets a new invoice, and each movement of money has its document', async () => {
    const at = await newYear();
    const admin = await makeUser('Admin');
    const { id, buyer } = await makeOrder(7_500);
    for (const status of ['Refunded', 'Pending', 'Refunded', 'Completed', 'Refunded'] as const) {
      await updateOrder(admin, id, { status });
    }
    await issueInvoices({ at });
    expect((await documentsOf(id)).map(({ kind, movementKey }) => [kind, movementKey])).toEqual([
      ['invoice', `order:${id}`],
      ['credit_note', `refund:${id}:1`],
      ['invoice', `recharge:${id}:1`],
      ['credit_note', `refund:${id}:2`],
      ['invoice', `recharge:${id}:2`],
      ['credit_note', `refund:${id}:3`],
    ]);
    expect(await numbersOf(at)).toEqual([...upTo(3, 'credit_note'), ...upTo(3)]);
    const { invoices: views } = await listInvoices(buyer, id);
    expect(views.map(({ counterparts }) => counterparts.map(({ number }) => number))).toEqual(
      [1, 0, 3, 2, 5, 4].map((index) => [views[index]?.number]),
    );
    await expectSoundBooks();
  });
});

it('any history of an order has documents that sum to the books, each movement once', async () => {
  const admin = await makeUser('Admin');
  const step = fc.oneof(fc.constantFrom(...orderStatuses), fc.constant('issue' as const));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (story) => {
      const at = await newYear();
      const { id } = await makeOrder(4_321);
      const seen: string[] = [];
      for (const now of story) {
        if (now !== 'issue') await updateOrder(admin, id, { status: now });
        else {
          await issueInvoices({ at });
          seen.push(...(await documentsOf(id)).map(documentNumber));
        }
      }
      await issueInvoices({ at });
      const rows = await documentsOf(id);
      const sumOf = (kind: string) =>
        rows.filter((row) => row.kind === kind).reduce((sum, { amountCents }) => sum + amountCents, 0);
      expect(sumOf('invoice') - sumOf('credit_note')).toBe(await getNetPaidCents(db(), id));
      // Issued documents stay, and kinds alternate: nothing is credited twice.
      expect(rows.map(documentNumber)).toEqual(expect.arrayContaining(seen));
      expect(rows.map(({ kind }) => kind)).toEqual(rows.map((_, index) => (index % 2 ? 'credit_note' : 'invoice')));
      const credits = Math.floor(rows.length / 2);
      expect(await numbersOf(at)).toEqual([...upTo(credits, 'credit_note'), ...upTo(rows.length - credits)].sort());
    }),
    { numRuns: propertyRuns(25) },
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
    const [invoice] = (await listInvoices(buyer, made[0]?.id ?? 0)).invoices;
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

  it("shows the buyer's name and both dates at the time of issue", async () => {
    const { id, buyer } = await makeOrder(1_000);
    const { invoices: before } = await listInvoices(buyer, id);
    await db().update(users).set({ name: 'Renamed since' }).where(eq(users.id, buyer.userId));
    const { invoices: after } = await listInvoices(buyer, id);
    expect(after[0]?.buyer).toMatchObject({ name: buyer.name, email: buyer.email });
    expect(after).toEqual(before);
    const [{ paidAt } = {}] = await owner<{ paidAt: Date }[]>`
      select created_at as "paidAt" from ledger.transfers where key = ${`order:${id}`}`;
    expect(after[0]?.movedAt).toBe(paidAt?.toISOString());
    expect(Date.parse(after[0]?.issuedAt ?? '')).toBeGreaterThanOrEqual(paidAt?.getTime() ?? 0);
  });

  it("shows the seller's name in branding at the time of issue", async () => {
    const admin = await makeUser('Admin');
    const one = await makeOrder(1_000);
    const [early] = (await listInvoices(one.buyer, one.id)).invoices;
    const { logo: _none, ...texts } = defaultBranding;
    const edit = { ...texts, siteName: 'Acme Links', postalAddress: '1 Main Street\nDublin', version: 0 };
    await saveBranding(admin, parseInput(saveBrandingInput, edit));
    const other = await makeOrder(1_000);
    const [late] = (await listInvoices(other.buyer, other.id)).invoices;
    expect(late?.seller).toMatchObject({ name: 'Acme Links', address: '1 Main Street\nDublin' });
    expect((await listInvoices(one.buyer, one.id)).invoices[0]?.seller).toEqual(early?.seller);
    expect(early?.seller).toMatchObject({ name: defaultBranding.siteName, address: '' });
  });
});

describe("an order's documents", () => {
  it('are not found for another user, whose request issues none', async () => {
    const { id } = await makeOrder(1_000);
    const others = [await makeUser(), await makeUser('Seller'), await makeUser('Admin')];
    const { values, codes } = await settle(others.map((other) => listInvoices(other, id)));
    expect([values, codes]).toEqual([[], ['not_found', 'not_found', 'not_found']]);
    expect(await documentsOf(id)).toEqual([]);
  });

  it('are issued for an order that was deleted, and not shown', async () => {
    const at = await newYear();
    const { id, buyer } = await makeOrder(1_000);
    await deleteOrder(await makeUser('Admin'), id);
    await issueInvoices({ at });
    expect(await numbersOf(at)).toEqual(upTo(1));
    await expect(listInvoices(buyer, id)).rejects.toMatchObject({ code: 'not_found' });
    const [row] = await db().select().from(orders).where(eq(orders.id, id));
    expect(row?.deletedAt).not.toBeNull();
  });

  it('name the credit note that is not issued yet beside the invoice', async () => {
    const [admin, { id, buyer }] = [await makeUser('Admin'), await makeOrder(1_000)];
    expect((await listInvoices(buyer, id)).pending).toBeNull();
    await owner.begin(async (tx) => {
      await tx`select ledger.post_transfer(${newId()}, ${newId()}, 'manual_topup', 'adjustments', '', 'wallet', ${admin.userId}, 5, 'USD')`;
      await updateOrder(await makeUser('Admin'), id, { status: 'Refunded' });
      const { invoices: shown, pending } = await listInvoices(buyer, id);
      expect([shown.map(({ kind }) => kind), pending]).toEqual([['invoice'], 'credit_note']);
    });
    expect((await listInvoices(buyer, id)).pending).toBeNull();
  });

  it('are incomplete while an earlier transfer is not committed', async () => {
    const { userId } = await makeUser();
    await owner.begin(async (tx) => {
      await tx`select ledger.post_transfer(${newId()}, ${newId()}, 'manual_topup', 'adjustments', '', 'wallet', ${userId}, 5, 'USD')`;
      const { id, buyer } = await makeOrder(1_000);
      expect(await listInvoices(buyer, id)).toEqual({ invoices: [], pending: 'invoice', deliveries: {} });
    });
  });
});
