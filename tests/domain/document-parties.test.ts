import { asc, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { invoices } from '@/db/schema/invoices';
import { orderChanges } from '@/db/schema/order-changes';
import { orderTaxes, referenceRates } from '@/db/schema/tax';
import { AppError } from '@/lib/errors';
import { findDocument } from '@/lib/invoices/find-document';
import { findMissing } from '@/lib/invoices/find-missing';
import { writeCii } from '@/lib/invoices/formats/cii';
import { writeUbl } from '@/lib/invoices/formats/ubl';
import { issueInvoices } from '@/lib/invoices/issue';
import type { InvoiceRow } from '@/lib/invoices/lines';
import { documentNumber } from '@/lib/invoices/numbers';
import { extendAsBuyer } from '@/lib/orders/order/authorize';
import { createOrder } from '@/lib/orders/order/create';
import { updateOrder } from '@/lib/orders/order/update';
import { saveOptionsBody } from '@/lib/sites/options/contract';
import { saveOptions } from '@/lib/sites/options/save';
import type { Operator } from '@/lib/tax/contract';
import { propertyRuns } from '@/scripts/testing/tier';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { makeBillingProfile, turnTaxOff, turnTaxOn } from '@/tests/factories/turn-tax-on';
import * as changes from '@/tests/setup/change-verbs';
import { checkCii, checkUbl } from '@/tests/setup/conformance/check-invoice';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import * as verbs from '@/tests/setup/placement-verbs';

// What an operator and a buyer change between the steps of an order must not mix on a document.

beforeAll(async () => {
  const day = new Date().toISOString().slice(0, 10);
  const rate = { day, usdMicrosPerUnit: 250_000, unitMicrosPerUsd: 4_000_000 };
  await db()
    .insert(referenceRates)
    .values(['PLN', 'EUR', 'CHF'].map((currency) => ({ ...rate, currency })))
    .onConflictDoNothing();
});
afterEach(turnTaxOff);

/** Operators by the country of their rules, each with another name, VAT id and currency of tax. */
const operators = {
  polish: {},
  dearer: { rates: [{ country: 'PL', from: '2020-01-01', rate: 2_500 }] },
  german: { name: 'Beispiel GmbH', city: 'Berlin', country: 'DE', vatIds: [{ country: 'DE', number: 'DE136695976' }] },
  small: {
    ...{ name: 'Klein GmbH', city: 'Berlin', country: 'DE', vatIds: [{ country: 'DE', number: 'DE129273398' }] },
    ...{ isSmallBusiness: true, smallBusinessText: '§ 19 UStG' },
  },
  swiss: {
    ...{ name: 'Beispiel AG', city: 'Bern', country: 'CH', vatIds: [{ country: 'CH', number: 'CHE116281710' }] },
    rates: [{ country: 'CH', from: '2020-01-01', rate: 810 }],
  },
} satisfies Record<string, Partial<Operator>>;
const currencies: Record<string, string> = { PL: 'PLN', DE: 'EUR', CH: 'CHF' };

/** What VIES answered to the Polish operator. */
const vatCheck = {
  ...{ state: 'valid' as const, checkedAt: new Date().toISOString() },
  ...{ consultation: 'WAPIPL', requester: 'PL5260001246' },
};
const buyers = {
  person: { company: '', country: 'PL', vatId: '', vatCheck: null },
  'German business': { company: 'Käufer GmbH', country: 'DE', vatId: 'DE136695976', vatCheck },
  'Polish business': { company: 'Kupiec Sp. z o.o.', country: 'PL', vatId: 'PL5260001246', vatCheck },
  American: { company: 'Buyer Inc.', country: 'US', vatId: '12-3456789', vatCheck: null },
};

async function makeScene() {
  const [buyer, seller, admin] = await Promise.all([makeUser(), makeUser('Seller'), makeUser('Admin')]);
  await fundWallet(buyer.userId, 200_000);
  await makeBillingProfile(buyer.userId, buyers.person);
  const siteId = await makeSite(seller.userId, 10_001, { isFulfilledByStaff: false });
  const offered = [
    { kind: 'guarantee', days: 180, surchargeCents: 501 },
    { kind: 'change', surchargeCents: 333 },
  ];
  const { options } = await saveOptions(seller, siteId, saveOptionsBody.parse({ options: offered }));
  const optionId = options.find(({ kind }) => kind === 'guarantee')?.id ?? '';
  const projectId = await makeProject(buyer);
  const { orders } = await createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
  return { buyer, seller, admin, optionId, id: orders[0]?.id ?? 0 };
}
type Placed = Awaited<ReturnType<typeof makeScene>>;

const setOperator = (operator: Partial<Operator> | null) => (operator ? turnTaxOn(operator) : turnTaxOff());

async function publish(placed: Placed): Promise<void> {
  await verbs.accept(placed);
  await verbs.deliver(placed);
  await verbs.approve(placed);
}

/** Takes the next step of the paid change of an order. */
async function stepChange(placed: Placed): Promise<unknown> {
  const [found] = await db().select().from(orderChanges).where(eq(orderChanges.orderId, placed.id)).limit(1);
  if (!found) return changes.ask(placed);
  if (found.state === 'asked') return changes.acceptAsked(placed);
  return found.state === 'priced' ? changes.agree(placed) : changes.declineAsked(placed);
}

const steps: Record<string, (placed: Placed) => Promise<unknown>> = {
  publish,
  extend: ({ buyer, id, optionId }) => extendAsBuyer(buyer, id, { optionId }),
  refund: ({ admin, id }) => updateOrder(admin, id, { status: 'Refunded' }),
  reopen: ({ admin, id }) => updateOrder(admin, id, { status: 'Processing' }),
  'step of the change': stepChange,
  issue: () => issueInvoices(),
};

const documentsOf = (orderId: number) =>
  db().select().from(invoices).where(eq(invoices.orderId, orderId)).orderBy(asc(invoices.id));
const chargesOf = (orderId: number) => db().select().from(orderTaxes).where(eq(orderTaxes.orderId, orderId));

/** Reads the country of a VAT id of these operators and buyers. */
const countryOf = (vatId: string) => vatId.slice(0, 2);

/** Checks that the parties of an invoice are those by which its tax is right. */
function expectConsistent({ seller, buyer, taxes, accountingTax, taxCents }: InvoiceRow, homeCountry: string): void {
  const [tax] = taxes;
  const isHome = buyer.country === homeCountry;
  const home = [seller.country, countryOf(seller.vatId)];
  expect(home).toEqual([homeCountry, homeCountry]);
  const isSmall = seller.name === 'Klein GmbH';
  const isBusiness = homeCountry !== 'CH' && buyer.country !== 'US' && buyer.vatId !== '';
  const isInside = homeCountry !== 'CH' && buyer.country !== 'US';
  const expected = isSmall
    ? { category: 'E', country: '', text: '§ 19 UStG' }
    : isHome
      ? { category: 'S', country: homeCountry }
      : isBusiness
        ? { category: 'AE', country: '' }
        : isInside
          ? { category: 'S', country: buyer.country }
          : { category: 'O', country: '' };
  expect(tax).toMatchObject(expected);
  expect(accountingTax?.currency ?? null).toBe(taxCents === 0 ? null : currencies[homeCountry]);
}

it('a charge after a refund keeps its parties and the currency of its tax, though both sides moved to Germany', async () => {
  await setOperator(operators.polish);
  const placed = await makeScene();
  await steps.refund?.(placed);
  await setOperator(operators.german);
  await makeBillingProfile(placed.buyer.userId, buyers['German business']);
  await steps.reopen?.(placed);
  // Also after the switch was turned off, before the job ran.
  await setOperator(null);
  await issueInvoices();
  const [invoice, credit, again] = await documentsOf(placed.id);
  expect(again).toMatchObject({
    ...{ seller: { vatId: 'PL5260001246', name: 'Example Sp. z o.o.' }, buyer: { country: 'PL', vatId: '' } },
    ...{ taxes: [{ rate: 2_300, category: 'S', country: 'PL' }], accountingTax: { currency: 'PLN', taxMinor: 9_200 } },
  });
  for (const other of [invoice, credit])
    expect(other).toMatchObject({ seller: again?.seller, buyer: again?.buyer, taxes: again?.taxes });
});

it('a credit note of invoices with other VAT ids names them, and has no structured format', async () => {
  await setOperator(operators.polish);
  const placed = await makeScene();
  await publish(placed);
  await setOperator(operators.german);
  await makeBillingProfile(placed.buyer.userId, buyers['Polish business']);
  await steps.extend?.(placed);
  await steps.refund?.(placed);
  await issueInvoices();
  const [, extension, ...credits] = await documentsOf(placed.id);
  const number = extension ? documentNumber(extension) : '';
  const models = await Promise.all(
    credits.map(async (row) => {
      const found = await findDocument(placed.buyer, documentNumber(row));
      return found.kind === 'invoice' ? found.model : null;
    }),
  );
  const mixed = models.find((model) => model?.preceding.length === 2);
  expect(mixed?.notes).toEqual([`${number} has the VAT ids DE136695976 of the seller and PL5260001246 of the buyer`]);
  expect(Object.keys(mixed ? findMissing(mixed) : {})).toContain('preceding');
  for (const model of models) if (model && model !== mixed) expect(findMissing(model)).toEqual({});
});

it('each document has the parties by which its tax was decided, whatever changes between its steps', async () => {
  const settings = fc.oneof(
    fc.constantFrom<Partial<Operator> | null>(...Object.values(operators), null).map((operator) => ({ operator })),
    fc.constantFrom(...Object.values(buyers)).map((buyer) => ({ buyer })),
  );
  const step = fc.constantFrom(...Object.keys(steps)).map((name) => ({ step: name }));
  const likely = fc.constantFrom('refund', 'reopen', 'extend', 'step of the change').map((name) => ({ step: name }));
  const story = fc.array(
    fc.oneof({ weight: 3, arbitrary: settings }, { weight: 1, arbitrary: step }, { weight: 3, arbitrary: likely }),
    { minLength: 4, maxLength: 14 },
  );
  const home = fc.constantFrom<Partial<Operator>>(...Object.values(operators));
  await fc.assert(
    fc.asyncProperty(home, fc.boolean(), story, async (first, isPublished, taken) => {
      await setOperator(first);
      const placed = await makeScene();
      if (isPublished) await publish(placed);
      let now: Partial<Operator> | null = first;
      /** The names of the operators of the charges, as they were at the charge. */
      const nameOf = new Map<string, string>();
      const remember = async () => {
        for (const { movementKey, seller } of await chargesOf(placed.id)) {
          const charged = movementKey.startsWith('recharge:') ? first : now;
          const name = nameOf.get(movementKey) ?? charged?.name ?? 'Example Sp. z o.o.';
          nameOf.set(movementKey, name);
          expect(seller.name).toBe(name);
        }
      };
      await remember();
      for (const one of taken) {
        if ('operator' in one) {
          now = one.operator;
          await setOperator(now);
        } else if ('buyer' in one) await makeBillingProfile(placed.buyer.userId, one.buyer);
        else
          await steps[one.step]?.(placed).catch((thrown: unknown) => {
            if (!(thrown instanceof AppError)) throw thrown;
          });
        await remember();
      }
      await issueInvoices();
      const [rows, charges] = [await documentsOf(placed.id), await chargesOf(placed.id)];
      const charged = new Map(charges.map((row) => [row.movementKey, row]));
      for (const row of rows) {
        const charge = charged.get(row.movementKey);
        if (charge) {
          const { seller, buyer, homeCountry, rate, category, netCents, taxCents } = charge;
          expect(row).toMatchObject({ seller, buyer, taxes: [{ rate, category, netCents, taxCents }] });
          expectConsistent(row, homeCountry);
        }
        const found = await findDocument(placed.buyer, documentNumber(row));
        if (found.kind !== 'invoice') throw new Error('Not an invoice.');
        const { model } = found;
        const isReverse = model.taxes.some(({ category }) => category === 'AE');
        const isProven = isReverse && row.buyer.vatCheck !== null && row.seller.vatId === vatCheck.requester;
        expect(model.notes.includes('VIES consultation number WAPIPL')).toBe(isProven);
        if (row.kind === 'credit_note') {
          const [corrected] = rows.filter((one) => documentNumber(one) === model.preceding[0]?.number);
          expect(row).toMatchObject({ seller: corrected?.seller, buyer: corrected?.buyer });
        }
        if (Object.keys(findMissing(model)).length > 0) continue;
        expect([...checkUbl(writeUbl(model)), ...checkCii(writeCii(model))]).toEqual([]);
        const corrected = rows.filter((one) => model.preceding.some(({ number }) => number === documentNumber(one)));
        for (const one of corrected)
          expect([one.seller.vatId, isReverse && one.buyer.vatId]).toEqual([
            row.seller.vatId,
            isReverse && row.buyer.vatId,
          ]);
      }
    }),
    { numRuns: propertyRuns(30) },
  );
  await expectSoundBooks();
}, 300_000);
