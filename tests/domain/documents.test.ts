import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { disputes } from '@/db/schema/disputes';
import { invoices, receipts } from '@/db/schema/invoices';
import { transfers } from '@/db/schema/ledger';
import { orderChanges } from '@/db/schema/order-changes';
import { orders } from '@/db/schema/orders';
import { packages } from '@/db/schema/packages';
import { exchangeRates } from '@/db/schema/settings';
import { referenceRates } from '@/db/schema/tax';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { type FoundDocument, findDocument } from '@/lib/invoices/find-document';
import { findMissing } from '@/lib/invoices/find-missing';
import { writeCii } from '@/lib/invoices/formats/cii';
import { writeUbl } from '@/lib/invoices/formats/ubl';
import { issueInvoices } from '@/lib/invoices/issue';
import { documentView, listDocuments } from '@/lib/invoices/list-documents';
import type { InvoiceModel } from '@/lib/invoices/model';
import { documentNumber } from '@/lib/invoices/numbers';
import { listInvoices } from '@/lib/invoices/queries';
import { respondWithDocument, writeDocument } from '@/lib/invoices/respond-with-document';
import { respondWithMonth } from '@/lib/invoices/respond-with-month';
import { getWalletBalance } from '@/lib/ledger/balance';
import { adjustmentsAccount, clearingAccount, postTransfer, walletAccount } from '@/lib/ledger/post-transfer';
import { decideDispute } from '@/lib/orders/disputes/decide';
import { openDispute } from '@/lib/orders/disputes/open';
import { extendAsBuyer } from '@/lib/orders/order/authorize';
import { createOrder } from '@/lib/orders/order/create';
import { deleteOrder } from '@/lib/orders/order/delete';
import { getNetPaidCents } from '@/lib/orders/order/queries';
import { updateOrder } from '@/lib/orders/order/update';
import { saveOptionsBody } from '@/lib/sites/options/contract';
import { saveOptions } from '@/lib/sites/options/save';
import type { Operator } from '@/lib/tax/contract';
import { propertyRuns, rotatingNinth } from '@/scripts/testing/tier';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeTopup } from '@/tests/factories/make-topup';
import { makeUser } from '@/tests/factories/make-user';
import { makeBillingProfile, turnTaxOff, turnTaxOn } from '@/tests/factories/turn-tax-on';
import * as changes from '@/tests/setup/change-verbs';
import { checkCii, checkUbl } from '@/tests/setup/conformance/check-invoice';
import { validateFacturX } from '@/tests/setup/conformance/factur-x-schema';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import * as verbs from '@/tests/setup/placement-verbs';
import { settle } from '@/tests/setup/settle';

// The rate of Poland is 23 %.
beforeEach(() => turnTaxOn());
afterEach(turnTaxOff);

const fundedCents = 200_000;

type Profile = Parameters<typeof makeBillingProfile>[1];

async function makeScene(priceCents = 10_001, profile: Profile | null = {}) {
  const [buyer, seller, admin] = await Promise.all([makeUser(), makeUser('Seller'), makeUser('Admin')]);
  await fundWallet(buyer.userId, fundedCents);
  if (profile) await makeBillingProfile(buyer.userId, profile);
  const siteId = await makeSite(seller.userId, priceCents, { isFulfilledByStaff: false });
  const offered = [{ kind: 'guarantee', days: 180, surchargeCents: 501 }];
  const { options } = await saveOptions(seller, siteId, saveOptionsBody.parse({ options: offered }));
  return { buyer, seller, admin, siteId, optionId: options[0]?.id ?? '', projectId: await makeProject(buyer) };
}
type Scene = Awaited<ReturnType<typeof makeScene>>;

async function placeOrder({ buyer, projectId, siteId }: Scene): Promise<number> {
  const { orders: made } = await createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
  return made[0]?.id ?? 0;
}

const documentsOf = (orderId: number) =>
  db().select().from(invoices).where(eq(invoices.orderId, orderId)).orderBy(asc(invoices.id));
const receiptsOf = ({ userId }: Actor) =>
  db().select().from(receipts).where(eq(receipts.accountId, userId)).orderBy(asc(receipts.id));

async function readPdf(document: FoundDocument): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of writeDocument(document, 'pdf')) pieces.push(Buffer.from(piece));
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(Buffer.concat(pieces))), {
    mergePages: true,
  });
  return text.replace(/\s+/g, ' ').trim();
}

async function findModel(actor: Actor, number: string): Promise<InvoiceModel> {
  const found = await findDocument(actor, number);
  if (found.kind !== 'invoice') throw new Error('Not an invoice.');
  return found.model;
}

/** Stores a rate of today, by default that of the zloty: 1 PLN = 0.25 USD. */
const storeRate = (currency = 'PLN', usdMicrosPerUnit = 250_000, unitMicrosPerUsd = 4_000_000) =>
  db()
    .insert(referenceRates)
    .values({ day: new Date().toISOString().slice(0, 10), currency, usdMicrosPerUnit, unitMicrosPerUsd })
    .onConflictDoNothing();

describe('an invoice', () => {
  it('copies both parties and the tax, and later changes of profile, operator and tax rewrite nothing', async () => {
    await storeRate();
    const scene = await makeScene(10_001, { reference: 'PO 77', vatId: 'PL5260001246' });
    const id = await placeOrder(scene);
    await issueInvoices();
    const before = await documentsOf(id);
    const { invoices: views } = await listInvoices(scene.buyer, id);
    expect(before).toMatchObject([
      {
        ...{ amountCents: 10_001, taxCents: 2_300 },
        taxes: [{ rate: 2_300, category: 'S', country: 'PL', netCents: 10_001, taxCents: 2_300 }],
        accountingTax: { currency: 'PLN', taxMinor: 9_200, unitMicrosPerUsd: 4_000_000 },
        seller: { name: 'Example Sp. z o.o.', vatId: 'PL5260001246' },
        buyer: { company: 'Buyer Sp. z o.o.', reference: 'PO 77' },
      },
    ]);
    await turnTaxOn({ name: 'Another operator', country: 'DE', vatIds: [] });
    await makeBillingProfile(scene.buyer.userId, { company: 'Another company', country: 'FR' });
    await turnTaxOff();
    expect(await documentsOf(id)).toEqual(before);
    expect((await listInvoices(scene.buyer, id)).invoices).toEqual(views);
    expect(findMissing(await findModel(scene.buyer, views[0]?.number ?? ''))).toEqual({});
  });

  it('without tax says why, with the identity of the buyer at its issue, and needs no profile', async () => {
    await turnTaxOff();
    const scene = await makeScene(1_000, null);
    const id = await placeOrder(scene);
    await issueInvoices();
    const [row] = await documentsOf(id);
    expect(row).toMatchObject({
      ...{ taxCents: 0, accountingTax: null, buyer: { name: scene.buyer.name, email: scene.buyer.email } },
      taxes: [{ rate: 0, category: 'E', text: 'No tax is charged.', netCents: 1_000, taxCents: 0 }],
    });
    const missing = findMissing(await findModel(scene.buyer, row ? documentNumber(row) : ''));
    expect(Object.keys(missing).sort()).toEqual([
      ...['buyer.country', 'seller.country', 'seller.registration', 'seller.vatId'],
    ]);
  });

  it('of a small business has its words, also while tax is off', async () => {
    await turnTaxOn({ isSmallBusiness: true, smallBusinessText: 'Exempt under Art. 113' });
    const taxed = await placeOrder(await makeScene(1_000));
    await db().execute(sql`update settings set value = jsonb_set(value, '{enabled}', 'false') where key = 'tax'`);
    const untaxed = await placeOrder(await makeScene(1_000, null));
    await issueInvoices();
    for (const id of [taxed, untaxed])
      expect(await documentsOf(id)).toMatchObject([
        { taxCents: 0, taxes: [{ category: 'E', text: 'Exempt under Art. 113' }] },
      ]);
  });

  it('in part has a credit note that copies it, and all of them return its tax to the grosz', async () => {
    await storeRate();
    const scene = await makeScene();
    const id = await placeOrder(scene);
    const placed = { ...scene, id };
    await verbs.accept(placed);
    await verbs.deliver(placed);
    await verbs.approve(placed);
    await issueInvoices();
    await makeBillingProfile(scene.buyer.userId, { company: 'Renamed', country: 'DE' });
    await openDispute(scene.buyer, id, 'buyer', { reason: 'other', text: 'It differs.' });
    await decideDispute(scene.admin, await findDispute(id), { buyerPercent: 37, note: 'Decided.' });
    await updateOrder(scene.admin, id, { status: 'Refunded' });
    await issueInvoices();
    const [invoice, ...credits] = await documentsOf(id);
    expect(credits.map(({ amountCents, taxCents }) => [amountCents, taxCents])).toEqual([
      [3_701, 851],
      [6_300, 1_449],
    ]);
    for (const credit of credits) {
      expect(credit).toMatchObject({ seller: invoice?.seller, buyer: invoice?.buyer });
      expect(credit.taxes).toMatchObject([{ rate: 2_300, category: 'S', netCents: credit.amountCents }]);
    }
    const minor = credits.reduce((sum, { accountingTax }) => sum + (accountingTax?.taxMinor ?? 0), 0);
    expect(minor).toBe(invoice?.accountingTax?.taxMinor);
    const [first] = credits;
    const model = await findModel(scene.buyer, first ? documentNumber(first) : '');
    expect(model).toMatchObject({
      ...{ code: '381', netCents: 3_701, taxCents: 851, totalCents: 4_552 },
      preceding: [{ number: invoice && documentNumber(invoice) }],
    });
    expect(model.lines[0]?.details).toContain('Partial refund of $100.01');
  });
});

const findDispute = async (orderId: number): Promise<string> => {
  const [found] = await db().select({ id: disputes.id }).from(disputes).where(eq(disputes.orderId, orderId));
  return found?.id ?? '';
};

/** What an order's documents and its transfers sum to, in USD cents. */
async function sumOrder(orderId: number) {
  const rows = await documentsOf(orderId);
  const signed = (amount: (row: (typeof rows)[number]) => number) =>
    rows.reduce((sum, row) => sum + (row.kind === 'invoice' ? amount(row) : -amount(row)), 0);
  const moved = await db()
    .select({ kind: transfers.kind, cents: transfers.amountCents })
    .from(transfers)
    .where(and(eq(transfers.orderId, orderId), inArray(transfers.kind, ['tax', 'tax_refund'])));
  const tax = moved.reduce((sum, { kind, cents }) => sum + (kind === 'tax' ? cents : -cents), 0);
  for (const { amountCents, taxCents, taxes } of rows) {
    expect(taxes.reduce((sum, line) => sum + line.netCents, 0)).toBe(amountCents);
    expect(taxes.reduce((sum, line) => sum + line.taxCents, 0)).toBe(taxCents);
  }
  return {
    documents: { net: signed(({ amountCents }) => amountCents), tax: signed(({ taxCents }) => taxCents) },
    ledger: { net: await getNetPaidCents(db(), orderId), tax },
  };
}

/** Wraps a step of a paid change: an order without one stays as it is. */
function ofChange(step: (scene: Scene & { id: number }) => Promise<unknown>) {
  return async (scene: Scene & { id: number }) => {
    const [found] = await db().select().from(orderChanges).where(eq(orderChanges.orderId, scene.id)).limit(1);
    return found && step(scene);
  };
}

/** The steps of an order. One that the order's state does not allow is refused and changes nothing. */
const steps = {
  accept: (scene) => verbs.accept(scene),
  deliver: (scene) => verbs.deliver(scene),
  approve: (scene) => verbs.approve(scene),
  decline: (scene) => verbs.decline(scene),
  extend: ({ buyer, id, optionId }) => extendAsBuyer(buyer, id, { optionId }),
  dispute: ({ buyer, id }) => openDispute(buyer, id, 'buyer', { reason: 'other', text: 'It differs.' }),
  decide: async ({ admin, id }) => decideDispute(admin, await findDispute(id), { buyerPercent: 37, note: 'Decided.' }),
  refund: ({ admin, id }) => updateOrder(admin, id, { status: 'Refunded' }),
  reopen: ({ admin, id }) => updateOrder(admin, id, { status: 'Processing' }),
  'ask for a change': (scene) => changes.ask(scene),
  'accept the change': ofChange(changes.acceptAsked),
  'decline the change': ofChange(changes.declineAsked),
  'deliver the change': ofChange((scene) => changes.deliverAsked(scene)),
  'approve the change': ofChange(changes.approveAsked),
  move: ({ buyer, id }) => makeBillingProfile(buyer.userId, { country: id % 2 === 0 ? 'DE' : 'US' }),
  'tax off': () => turnTaxOff(),
  'tax on': () => turnTaxOn(),
  issue: () => issueInvoices(),
} satisfies Record<string, (scene: Scene & { id: number }) => Promise<unknown>>;
const stepNames = Object.keys(steps).filter((name): name is keyof typeof steps => name in steps);

it('the documents of any sequence of payments, partial refunds and disputes sum to the ledger', async () => {
  const toApproved = fc.constant(['accept', 'deliver', 'approve'] as const);
  const changed = fc.constant(['ask for a change', 'accept the change', 'deliver the change'] as const);
  const step = fc.constantFrom(...stepNames).map((name) => [name]);
  const story = fc.array(
    fc.oneof({ weight: 4, arbitrary: step }, { weight: 1, arbitrary: toApproved }, { weight: 1, arbitrary: changed }),
    { maxLength: 10 },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 9_999 }), fc.boolean(), story, async (priceCents, isTaxed, names) => {
      await (isTaxed ? turnTaxOn() : turnTaxOff());
      const scene = await makeScene(priceCents);
      const placed = { ...scene, id: await placeOrder(scene) };
      for (const name of names.flat())
        await steps[name](placed).catch((thrown: unknown) => {
          if (!(thrown instanceof AppError)) throw thrown;
        });
      await issueInvoices();
      const { documents, ledger } = await sumOrder(placed.id);
      expect(documents).toEqual(ledger);
      expect(fundedCents - (await getWalletBalance(scene.buyer.userId))).toBe(documents.net + documents.tax);
    }),
    { numRuns: propertyRuns(30) },
  );
  await expectSoundBooks();
}, 300_000);

it('50 parallel orders with tax have numbers without gaps, and so have the receipts of their money', async () => {
  await issueInvoices();
  const at = new Date(Date.UTC(2400, 5, 1));
  const admin = await makeUser('Admin');
  const scenes = await Promise.all(Array.from({ length: 10 }, () => makeScene(1_001)));
  let isOver = false;
  const run = async () => {
    while (!isOver) await issueInvoices({ at });
  };
  const runs = [run(), run()];
  const placed = await settle(scenes.flatMap((scene) => Array.from({ length: 5 }, () => placeOrder(scene))));
  await settle(placed.values.slice(0, 10).map((id) => updateOrder(admin, id, { status: 'Refunded' })));
  isOver = true;
  await Promise.all(runs);
  await issueInvoices({ at });
  expect(placed.codes).toEqual([]);
  const ofYear = await db().select().from(invoices).where(eq(invoices.year, 2400)).orderBy(asc(invoices.number));
  const numbers = (kind: string) => ofYear.filter((row) => row.kind === kind).map(({ number }) => number);
  expect(numbers('invoice')).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  expect(numbers('credit_note')).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
  for (const { amountCents, taxCents } of ofYear) expect([amountCents, taxCents]).toEqual([1_001, 230]);
  const paidIn = await db().select().from(receipts).where(eq(receipts.year, 2400)).orderBy(asc(receipts.number));
  expect(paidIn.map(({ number }) => number)).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
  await expectSoundBooks();
}, 120_000);

/** Credits a top-up to a wallet, as its payment does. */
async function credit(buyer: Actor, key: string, values: Parameters<typeof makeTopup>[1] = {}): Promise<void> {
  const topupId = await makeTopup(buyer, { status: 'paid', ...values });
  await postTransfer(db(), {
    ...{ key, kind: 'topup', from: clearingAccount(values.provider ?? 'stripe'), to: walletAccount(buyer.userId) },
    ...{ amountCents: values.amountCents ?? 10_000, currency: 'USD', meta: { topupId } },
  });
}

describe('a receipt', () => {
  it('is issued once for each top-up and manual credit, with what was paid', async () => {
    const buyer = await makeUser();
    const key = `wechat:${newId()}`;
    await credit(buyer, `stripe:${newId()}`);
    const paid = { chargeAmountMinor: 72_000, chargeCurrency: 'CNY', rateMicros: 139_000 };
    await credit(buyer, key, { provider: 'wechat', amountCents: 10_008, ...paid });
    await fundWallet(buyer.userId, 500);
    const [last] = await db().select().from(transfers).where(eq(transfers.key, key));
    await postTransfer(db(), {
      ...{ key: `reversal:${key}`, kind: 'reversal', from: walletAccount(buyer.userId), to: adjustmentsAccount },
      ...{ amountCents: 100, currency: 'USD' },
    });
    await issueInvoices();
    await issueInvoices();
    const rows = await receiptsOf(buyer);
    expect(rows).toMatchObject([
      { amountCents: 10_000, paidMinor: 10_000, paidCurrency: 'USD', usdMicrosPerUnit: null, method: 'Stripe' },
      {
        ...{ amountCents: 10_008, paidMinor: 72_000, paidCurrency: 'CNY', usdMicrosPerUnit: 139_000 },
        ...{ method: 'WeChat Pay', movementKey: key, movedAt: last?.createdAt },
      },
      { amountCents: 500, paidMinor: 500, method: 'Credit by staff', seller: { name: 'Example Sp. z o.o.' } },
    ]);
    const [, wechat] = rows;
    const name = wechat ? documentNumber({ kind: 'receipt', ...wechat }) : '';
    expect(name).toMatch(/^RC-\d{4}-\d{6}$/);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, name));
    expect(lines).toMatchObject([{ action: 'receipt.issued', userId: null, source: 'job' }]);
    const text = await readPdf(await findDocument(buyer, name));
    for (const part of [name, 'Paid by WeChat Pay', 'CN¥720.00', '1 CNY = 0.139 USD', '$100.08', buyer.email])
      expect(text).toContain(part);
    expect(text).toContain('not an invoice');
  });
});

describe('the PDF', () => {
  it('has what Article 226 asks of an invoice with tax', async () => {
    await storeRate();
    // As long as one can be.
    const reference = 'Cost center 12345 '.repeat(6).slice(0, 100).trim();
    const scene = await makeScene(10_001, { vatId: 'PL5260001246', reference });
    const id = await placeOrder(scene);
    await issueInvoices();
    const [row] = await documentsOf(id);
    const [order] = await db().select().from(orders).where(eq(orders.id, id));
    const number = row ? documentNumber(row) : '';
    const text = await readPdf(await findDocument(scene.buyer, number));
    const today = row?.issuedAt.toISOString().slice(0, 10);
    for (const part of [
      `Invoice ${number}`,
      `Issued on ${today}`,
      `Supplied and paid on ${today}`,
      'Example Sp. z o.o. Books ul. Prosta 1 00-001 Warszawa Poland VAT id PL5260001246',
      'Buyer Sp. z o.o.',
      'ul. Długa 2 00-238 Warszawa Poland VAT id PL5260001246',
      order?.website.replace(/^https?:\/\//, '') ?? '?',
      'Quantity Unit price without tax Tax rate Net 1 $100.01 23% $100.01',
      'Tax PL (23%) $100.01 $23.00',
      'Total, paid from the wallet $123.01',
      'Tax in PLN PLN 92.00',
      `1 USD = 4.00 PLN, reference rate of the European Central Bank of ${today}`,
      `Your reference ${reference}`,
      `Order #${id}`,
    ])
      expect(text.replace(/\u00a0/g, ' ')).toContain(part);
  });

  it('shows both VAT ids, the words and the consultation of VIES in other categories, and the corrected invoice', async () => {
    const checkedAt = new Date().toISOString();
    const vatCheck = { state: 'valid' as const, checkedAt, consultation: 'WAPIAAAA', requester: 'PL5260001246' };
    const german = await makeScene(5_000, { country: 'DE', vatId: 'DE136695976', vatCheck });
    const american = await makeScene(5_000, { country: 'US', vatId: '12-3456789' });
    const [reverse, outside] = [await placeOrder(german), await placeOrder(american)];
    await updateOrder(german.admin, reverse, { status: 'Refunded' });
    await issueInvoices();
    const [invoice, note] = await documentsOf(reverse);
    const [other] = await documentsOf(outside);
    const pdfOf = async (row: typeof invoice, actor: Actor) =>
      row ? readPdf(await findDocument(actor, documentNumber(row))) : '';
    for (const text of [await pdfOf(invoice, german.buyer), await pdfOf(note, german.buyer)])
      for (const part of ['Reverse charge', 'VAT id PL5260001246', 'VAT id DE136695976', 'WAPIAAAA', 'Germany'])
        expect(text).toContain(part);
    const correction = await pdfOf(note, german.buyer);
    const day = invoice?.issuedAt.toISOString().slice(0, 10);
    expect(correction).toContain(`For invoice ${invoice ? documentNumber(invoice) : ''} of ${day}`);
    expect(correction).toContain('Total, returned to the wallet $50.00');
    const text = await pdfOf(other, american.buyer);
    for (const part of ['Outside the scope of VAT', 'VAT id PL5260001246', 'VAT id 12-3456789'])
      expect(text).toContain(part);
  });
});

const noContact = { name: '', phone: '', email: '' };
const german: Partial<Operator> = {
  ...{ name: 'Beispiel GmbH', street: 'Hauptstr. 1', postcode: '10115', city: 'Berlin', country: 'DE' },
  ...{ vatIds: [{ country: 'DE', number: 'DE136695976' }], registration: 'HRB 12345' },
  ...{ contact: { ...noContact, name: 'Büro', phone: '+49 30 1234567' } },
};
const named = (country: string, number: string): Partial<Operator> => ({ country, vatIds: [{ country, number }] });
const germanBuyer = { country: 'DE', vatId: 'DE136695976', city: 'Bonn', postcode: '53111' };

/** Pairs of an operator and a buyer, with a part of both documents as UBL. */
const pairs: [name: string, operator: Partial<Operator>, buyer: Profile, part: string][] = [
  ['PL to PL', {}, { vatId: 'PL5260001246', reference: 'PO 77' }, 'currencyID="PLN">92.00<'],
  ['DE to PL, reverse charge', german, { vatId: 'PL5260001246' }, 'VATEX-EU-AE'],
  ['DE to US', german, { country: 'US', vatId: '12-3456789' }, 'VATEX-EU-O'],
  [
    'small business to US',
    { ...german, vatIds: [], taxNumber: '30/123/45678', isSmallBusiness: true, smallBusinessText: '§ 19 UStG' },
    { country: 'US', vatId: '12-3456789' },
    '§ 19 UStG',
  ],
  ['PL to DE, OSS', {}, { country: 'DE', company: '北京示例有限公司 <شركة> & "Söhne"' }, '<cbc:Percent>19.00<'],
  [
    'DE to DE with a reference',
    { ...german, contact: { name: 'Büro', phone: '+49 30 1234567', email: 'books@operator.example' } },
    { ...germanBuyer, reference: '04011000-12345-67' },
    'xrechnung_3.0',
  ],
  ['BE to BE', named('BE', 'BE0403170701'), { country: 'BE', vatId: 'BE0403170701' }, 'schemeID="0208">0403170701<'],
  ['GR to BG, reverse charge', named('GR', 'EL094259216'), { country: 'BG', vatId: 'BG175074752' }, '>EL094259216<'],
  [
    'NL to NL without an address',
    named('NL', 'NL004495445B01'),
    { country: 'NL', vatId: 'NL004495445B01', street: '' },
    '>urn:cen.eu:en16931:2017<',
  ],
  [
    'SE to SE with a tax number',
    { ...named('SE', 'SE556188840401'), taxNumber: '556188-8404' },
    { country: 'SE', vatId: 'SE556188840401' },
    '>urn:cen.eu:en16931:2017<',
  ],
  ['HU to HU', named('HU', 'HU12892312'), { country: 'HU' }, 'currencyID="HUF">10800.00<'],
  // Outside the European Union: documents between such parties, and what XRechnung cannot have.
  ['CH to DE with a reference', named('CH', 'CHE116281710'), { ...germanBuyer, reference: 'PO 77' }, 'VATEX-EU-O'],
  [
    'US to US with a rate',
    { ...named('US', '12-3456789'), rates: [{ country: 'US', from: '2024-01-01', rate: 800 }] },
    { country: 'US', vatId: '98-7654321' },
    '<cbc:CompanyID>12-3456789<',
  ],
  [
    'MX to MX with a rate and ids that begin as Belgian ones',
    { ...named('MX', 'BE0101011AA'), rates: [{ country: 'MX', from: '2024-01-01', rate: 1_600 }] },
    { country: 'MX', vatId: 'BE0101012BB' },
    '<cbc:EndpointID schemeID="EM">',
  ],
];

const listBroken = (model: InvoiceModel) => [...checkUbl(writeUbl(model)), ...checkCii(writeCii(model))];

describe('the structured formats of documents from the books', () => {
  it('follow the rules of EN 16931 and the schemas of Factur-X between typical pairs, with refunds', async () => {
    await storeRate();
    await storeRate('HUF', 2_500, 400_000_000);
    const broken: Record<string, string[]> = {};
    const written: string[] = [];
    // tests/unit/invoices/formats.test.ts checks documents of all kinds.
    for (const [name, operator, buyer, part] of rotatingNinth(pairs)) {
      await turnTaxOn(operator);
      const scene = await makeScene(name === 'HU to HU' ? 10_000 : 10_001, buyer);
      const id = await placeOrder(scene);
      await updateOrder(scene.admin, id, { status: 'Refunded' });
      await issueInvoices();
      const rows = await documentsOf(id);
      expect(rows).toHaveLength(2);
      for (const row of rows) {
        const model = await findModel(scene.buyer, documentNumber(row));
        expect(findMissing(model), name).toEqual({});
        expect(writeUbl(model), name).toContain(part);
        broken[`${name} ${model.number}`] = listBroken(model);
        written.push(writeCii(model));
        const text = await readPdf({ kind: 'invoice', model, extras: {} });
        for (const { vatId } of [model.seller, model.buyer]) if (vatId) expect(text).toContain(`VAT id ${vatId}`);
        if (model.accountingTax?.currency === 'HUF')
          expect(text).toMatch(/Tax in HUF HUF 10,800.00 1 USD = 400.00 HUF/);
      }
    }
    expect(Object.values(broken).flat(), JSON.stringify(broken)).toEqual([]);
    expect(await validateFacturX(written)).toEqual([]);
  });

  it('bill a package in euros by its price in USD, and name the price that was listed', async () => {
    await db().insert(exchangeRates).values({ id: newId(), currency: 'EUR', usdMicrosPerUnit: 1_085_000 });
    const scene = await makeScene(1_000, { vatId: 'PL5260001246' });
    const values = { name: 'Starter', description: 'Posts', priceCents: 3_333, currency: 'EUR' as const };
    const [offered] = await db().insert(packages).values(values).returning();
    const input = { kind: 'package' as const, projectId: scene.projectId, packageId: offered?.id ?? 0, quantity: 3 };
    const { orders: made } = await createOrder(scene.buyer, input);
    const id = made[0]?.id ?? 0;
    await updateOrder(scene.admin, id, { status: 'Refunded' });
    await updateOrder(scene.admin, id, { status: 'Processing' });
    await issueInvoices();
    const rows = await documentsOf(id);
    expect(rows.map(({ kind }) => kind)).toEqual(['invoice', 'credit_note', 'invoice']);
    for (const row of rows) {
      const model = await findModel(scene.buyer, documentNumber(row));
      // 99.99 EUR at 1.085 USD, which does not divide by three.
      expect(model).toMatchObject({ netCents: 10_849, taxCents: 2_495, lines: [{ quantity: 3, netCents: 10_849 }] });
      expect(model.lines[0]?.details).toContain('Listed at €99.99, 1 EUR = 1.085 USD');
      expect(listBroken(model)).toEqual([]);
    }
  });

  it('break tax down by rate where a credit note corrects invoices of several countries or reasons', async () => {
    const corrected = async (before: Profile, between: (scene: Scene) => Promise<unknown>) => {
      const scene = await makeScene(10_001, before);
      const placed = { ...scene, id: await placeOrder(scene) };
      await verbs.accept(placed);
      await verbs.deliver(placed);
      await verbs.approve(placed);
      await between(scene);
      await extendAsBuyer(scene.buyer, placed.id, { optionId: scene.optionId });
      await updateOrder(scene.admin, placed.id, { status: 'Refunded' });
      await issueInvoices();
      // What the seller had earned returns first, and the rest with a part of both invoices.
      const [invoice, extension, ...credits] = await documentsOf(placed.id);
      const credit = credits.at(-1);
      const model = await findModel(scene.buyer, credit ? documentNumber(credit) : '');
      expect(model.preceding.map(({ number }) => number)).toEqual(
        [invoice, extension].map((row) => row && documentNumber(row)),
      );
      expect(model.lines).toHaveLength(2);
      return model;
    };
    const moveTo = (country: string) => (scene: Scene) => makeBillingProfile(scene.buyer.userId, { country });

    // Both have 23 %.
    const sameRate = await corrected({}, moveTo('PT'));
    expect(sameRate.taxes.map(({ country }) => country)).toEqual(['PL', 'PT']);
    const rates = await corrected({}, moveTo('DE'));
    const small = { isSmallBusiness: true, smallBusinessText: 'Art. 113' };
    await turnTaxOn(small);
    const reasons = await corrected({}, () => turnTaxOn({ ...small, smallBusinessText: 'Art. 113 (1)' }));
    for (const model of [sameRate, rates, reasons]) {
      expect(findMissing(model)).toEqual({});
      expect(listBroken(model)).toEqual([]);
    }
    expect(await validateFacturX([sameRate, rates, reasons].map(writeCii))).toEqual([]);
    expect(writeUbl(reasons)).toContain('Art. 113; Art. 113 (1)');

    await turnTaxOn();
    const scopes = await corrected({ country: 'US' }, moveTo('PL'));
    expect(Object.keys(findMissing(scopes))).toEqual(['taxes']);
  });

  it('ask for what identifies an operator whose documents contain no VAT id', async () => {
    await turnTaxOn({ contact: noContact });
    const scene = await makeScene(1_000, { country: 'US' });
    const id = await placeOrder(scene);
    await issueInvoices();
    const [row] = await documentsOf(id);
    const number = row ? documentNumber(row) : '';
    expect(Object.keys(findMissing(await findModel(scene.buyer, number)))).toEqual(['seller.registration']);
    await expect(respondWithDocument(scene.buyer, `${number}.ubl.xml`)).rejects.toMatchObject({
      code: 'billing_incomplete',
      details: { fields: { 'seller.registration': expect.any(String) } },
    });
    expect((await respondWithDocument(scene.buyer, `${number}.pdf`)).status).toBe(200);
  });
});

describe('a document', () => {
  it('is found by its buyer and by staff with its permission only', async () => {
    const scene = await makeScene();
    const id = await placeOrder(scene);
    await issueInvoices();
    const [row] = await documentsOf(id);
    const [receipt] = await receiptsOf(scene.buyer);
    if (!row || !receipt) throw new Error('Nothing was issued.');
    const names = [documentNumber(row), documentNumber({ kind: 'receipt', ...receipt })];
    const [ofOrders, ofWallets, ofPayouts] = [
      await makeStaff('ManageOrders'),
      await makeStaff('ManageWallets'),
      await makeStaff('ManagePayouts'),
    ];
    // A token of staff has only the permissions among its scopes.
    const token = { ...ofOrders, permissions: [], token: { id: 'token', name: 'Reader', scopes: ['read'] } };
    const sees = async (actor: Actor) => {
      const { codes } = await settle(names.map((name) => findDocument(actor, name)));
      return { found: names.length - codes.length, codes: [...new Set(codes)] };
    };
    expect(await sees(scene.buyer)).toEqual({ found: 2, codes: [] });
    expect(await sees(scene.admin)).toEqual({ found: 2, codes: [] });
    expect(await sees(ofOrders)).toEqual({ found: 1, codes: ['not_found'] });
    expect(await sees(ofWallets)).toEqual({ found: 1, codes: ['not_found'] });
    for (const actor of [scene.seller, await makeUser(), ofPayouts, token])
      expect(await sees(actor)).toEqual({ found: 0, codes: ['not_found'] });
    for (const name of ['INV-2026-999999999', 'INV-1', 'CN-2026-1', '', 'XX-2026-000001', `${names[0]} `])
      await expect(findDocument(scene.buyer, name)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('stays after its order was deleted, for its buyer and for staff', async () => {
    const scene = await makeScene(1_000);
    const id = await placeOrder(scene);
    await issueInvoices();
    const [row] = await documentsOf(id);
    const number = row ? documentNumber(row) : '';
    const before = await findDocument(scene.buyer, number);
    await deleteOrder(scene.admin, id);
    for (const actor of [scene.buyer, await makeStaff('ManageOrders')])
      expect(await findDocument(actor, number)).toEqual(before);
    await expect(findDocument(await makeUser(), number)).rejects.toMatchObject({
      message: 'This document does not exist.',
    });
    const { rows } = await listDocuments(scene.buyer, { limit: 5 });
    expect(rows.map(documentView)).toMatchObject([{ kind: 'receipt' }, { number, orderId: null }]);
    const csv = await (
      await respondWithMonth(scene.buyer, { month: new Date().toISOString().slice(0, 7), format: 'csv' })
    ).text();
    expect(csv).toContain(number);
  });

  it('is listed for its buyer by month, newest first, in pages', async () => {
    const scene = await makeScene(1_000);
    const id = await placeOrder(scene);
    await updateOrder(scene.admin, id, { status: 'Refunded' });
    await issueInvoices();
    const month = new Date().toISOString().slice(0, 7);
    const { rows, total, next } = await listDocuments(scene.buyer, { month, limit: 2 });
    expect(total).toBe(3);
    const rest = await listDocuments(scene.buyer, {
      month,
      limit: 2,
      cursor: { toward: 'next', id: next?.slice(5) ?? '' },
    });
    expect([...rows, ...rest.rows].map(documentView)).toMatchObject([
      { kind: 'receipt', orderId: null, totalCents: fundedCents, links: { ublXml: null } },
      { kind: 'credit_note', orderId: id, netCents: 1_000, taxCents: 230, totalCents: 1_230 },
      { kind: 'invoice', orderId: id, totalCents: 1_230 },
    ]);
    expect(await listDocuments(scene.buyer, { month: '2020-01', limit: 2 })).toMatchObject({
      rows: [],
      total: 0,
    });
    expect((await listDocuments(scene.seller, { limit: 2 })).total).toBe(0);
  });
});
