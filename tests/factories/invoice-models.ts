import type { TaxLine } from '@/db/schema/invoices';
import type { InvoiceModel, InvoiceParty } from '@/lib/invoices/model';
import { computeTaxCents } from '@/lib/tax/amounts';

/** A business with all details; the VAT ids have valid check digits. */
function createParty(country: string, vatId: string, change: Partial<InvoiceParty> = {}): InvoiceParty {
  return {
    name: `Company of ${country} Ltd`,
    ...{ street: 'Main Street 1', postcode: '10001', city: 'Capital', region: '', country, vatId },
    ...{ taxNumber: '', registration: 'HRB 12345', email: `documents@${country.toLowerCase()}.example.com` },
    contact: { name: 'Ada Office', phone: '+49 30 1234567', email: `office@${country.toLowerCase()}.example.com` },
    ...change,
  };
}

const noContact = { name: '', phone: '', email: '' };

/** A person, as buyers are before they enter a company. */
const createPerson = (country: string): InvoiceParty =>
  createParty(country, '', { name: 'Jan Nowak', registration: '', contact: noContact });

export const parties = {
  be: createParty('BE', 'BE0403170701', { registration: '' }),
  bg: createParty('BG', 'BG175074752'),
  de: createParty('DE', 'DE136695976', { taxNumber: '30/123/45678' }),
  fr: createParty('FR', 'FR40303265045'),
  gr: createParty('GR', 'EL094259216'),
  pl: createParty('PL', 'PL5260001246'),
  us: createParty('US', '', { region: 'California', registration: '', contact: noContact }),
};

type Pair = {
  seller: InvoiceParty;
  buyer: InvoiceParty;
  /** Net amounts in USD cents, each a line, with the quantity. */
  lines?: { netCents: number; quantity?: number; title?: string; details?: string[] }[];
  tax: Pick<TaxLine, 'category'> & Partial<TaxLine>;
};

/** Builds the model of a document that the wallet paid. */
export function createInvoiceModel(
  { seller, buyer, lines, tax }: Pair,
  change: Partial<InvoiceModel> = {},
): InvoiceModel {
  const rate = tax.rate ?? 0;
  const all = lines ?? [{ netCents: 12_345 }];
  const netCents = all.reduce((sum, line) => sum + line.netCents, 0);
  const taxCents = computeTaxCents(netCents, rate);
  const totalCents = netCents + taxCents;
  return {
    ...{ code: '380', number: 'INV-2026-000012', issuedOn: '2026-11-28', suppliedOn: '2026-11-27' },
    ...{ buyerReference: '', orderNumber: '12', preceding: [], notes: [], seller, buyer },
    lines: all.map(({ title, details, quantity, ...line }) => ({
      ...line,
      title: title ?? 'Guest post: example.com',
      details: details ?? ['For shop.example, linking to https://shop.example/a?b=1&c=2'],
      quantity: quantity ?? 1,
      tax: { rate, category: tax.category },
    })),
    taxes: [{ rate, reason: '', text: '', country: '', netCents, taxCents, ...tax }],
    ...{ netCents, taxCents, totalCents, paidCents: totalCents, accountingTax: null },
    ...change,
  };
}

const { be, bg, de, fr, gr, pl, us } = parties;
const reverse = { category: 'AE', reason: 'VATEX-EU-AE', text: 'Reverse charge' } as const;
const outside = { category: 'O', reason: 'VATEX-EU-O', text: 'Outside the scope of VAT' } as const;
const inZloty = { currency: 'PLN', taxMinor: 10_291, unitMicrosPerUsd: 3_624_502, day: '2026-11-26' };
const selfBilled: Partial<InvoiceModel> = { code: '389', number: 'SB-2026-000003', notes: ['Self-billing'] };

/** Documents of typical pairs of seller and buyer. */
export const invoiceModels: Readonly<Record<string, InvoiceModel>> = {
  'PL to PL': createInvoiceModel(
    { seller: pl, buyer: parties.pl, tax: { category: 'S', rate: 2300, country: 'PL' } },
    { accountingTax: inZloty },
  ),
  'DE to PL, reverse charge': createInvoiceModel(
    { seller: de, buyer: pl, tax: reverse },
    { notes: ['VIES consultation number WAPIAAAAZ1zzzzzz'] },
  ),
  'DE to US': createInvoiceModel({ seller: de, buyer: us, tax: outside }),
  'PL to PL, credit note in part': createInvoiceModel(
    { seller: pl, buyer: pl, lines: [{ netCents: 4115 }], tax: { category: 'S', rate: 2300, country: 'PL' } },
    {
      code: '381',
      number: 'CN-2026-000002',
      preceding: [{ number: 'INV-2026-000012', issuedOn: '2026-11-20', sellerVatId: pl.vatId, buyerVatId: pl.vatId }],
      accountingTax: { ...inZloty, taxMinor: 3430 },
    },
  ),
  'self-billing in PL': createInvoiceModel(
    { seller: pl, buyer: pl, tax: { category: 'S', rate: 2300, country: 'PL' } },
    { ...selfBilled, accountingTax: inZloty },
  ),
  'self-billing FR to DE, reverse charge, unpaid': createInvoiceModel(
    { seller: fr, buyer: de, tax: reverse },
    { ...selfBilled, paidCents: 0 },
  ),
  'small business': createInvoiceModel({
    seller: { ...de, vatId: '' },
    buyer: createPerson('DE'),
    tax: { category: 'E', text: 'No VAT is charged under § 19 UStG' },
  }),
  'tax off': createInvoiceModel({ seller: pl, buyer: createPerson('FR'), tax: { category: 'E' } }),
  'PL to DE, OSS': createInvoiceModel({
    seller: pl,
    buyer: createPerson('DE'),
    tax: { category: 'S', rate: 1900, country: 'DE' },
  }),
  'DE to DE with a Leitweg-ID': createInvoiceModel(
    { seller: de, buyer: { ...de, name: 'Amt für Beispiele' }, tax: { category: 'S', rate: 1900, country: 'DE' } },
    { buyerReference: '04011000-12345-67' },
  ),
  'DE to DE without a reference': createInvoiceModel({
    seller: de,
    buyer: de,
    tax: { category: 'S', rate: 1900, country: 'DE' },
  }),
  'FR to FR': createInvoiceModel({ seller: fr, buyer: fr, tax: { category: 'S', rate: 2000, country: 'FR' } }),
  'BE to BE': createInvoiceModel({ seller: be, buyer: be, tax: { category: 'S', rate: 2100, country: 'BE' } }),
  'GR to BG, reverse charge': createInvoiceModel({ seller: gr, buyer: bg, tax: reverse }),
  'BG to GR, reverse charge': createInvoiceModel({ seller: bg, buyer: gr, tax: reverse }),
  'a package of three at a price that does not divide': createInvoiceModel({
    seller: pl,
    buyer: pl,
    lines: [
      { netCents: 10_000, quantity: 3 },
      { netCents: 9000, quantity: 3 },
    ],
    tax: { category: 'S', rate: 2300, country: 'PL' },
  }),
  'names in other scripts': createInvoiceModel(
    {
      seller: { ...pl, name: 'Łódź "Café" & Söhne <GmbH>\u0007', street: '  ' },
      buyer: { ...be, name: '北京示例有限公司 شركة المثال', city: 'Αθήνα\uD800' },
      lines: [{ netCents: 1, title: ']]> & <b>', details: ['line\u0000 one', 'it\'s "two"'] }],
      tax: reverse,
    },
    { notes: ['One', 'Two & three'] },
  ),
};
