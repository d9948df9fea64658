import type { TaxLine } from '@/db/schema/invoices';
import type { InvoiceLine, InvoiceModel, InvoiceParty } from '@/lib/invoices/model';
import { toDecimalString } from '@/lib/money';
import { isVatId } from '@/lib/tax/vat-id';

/** UN/ECE Recommendation 20: one. */
export const unitCode = 'C62';

/**
 * BT-81, UNTDID 4461: the means of payment were agreed before, for orders by the wallet and for self-billed invoices by
 * the agreement on payouts.
 */
export const paymentMeansCode = '57';

/** Formats a rate in hundredths of a percent: 1900 is "19.00". */
export const formatRate = (rate: number): string => toDecimalString(rate);

/** Returns the price of a line: of one unit, or where cents do not divide, of the whole quantity (BT-146 and BT-149). */
export const unitPrice = ({ netCents, quantity }: InvoiceLine): { cents: number; baseQuantity: number } =>
  netCents % quantity === 0
    ? { cents: netCents / quantity, baseQuantity: 1 }
    : { cents: netCents, baseQuantity: quantity };

/** Returns the amount that is still due (BT-115). */
export const dueCents = ({ totalCents, paidCents }: InvoiceModel): number => totalCents - paidCents;

/** Returns the terms of payment (BT-20), which an open amount requires (BR-CO-25). */
export const paymentTerms = (model: InvoiceModel): string =>
  dueCents(model) > 0 ? 'Payable as agreed between seller and buyer' : '';

/** Returns why no tax is charged (BT-120): BR-E-10, BR-AE-10 and BR-O-10 require a text or a code. */
export const exemptionText = ({ category, text, reason }: TaxLine): string =>
  category === 'S' || category === 'Z' ? '' : text || (reason ? '' : 'Exempt from VAT');

/** Whether a document is outside the scope of VAT: then it must not contain VAT ids (BR-O-02). */
const isOutsideScope = ({ taxes }: InvoiceModel): boolean => taxes.some(({ category }) => category === 'O');

/** Returns the VAT id that a document may contain of a party (BT-31 and BT-48). */
export const shownVatId = (model: InvoiceModel, { vatId }: InvoiceParty): string =>
  isOutsideScope(model) || !isVatId(vatId) ? '' : vatId;

/** Returns the tax number of a seller (BT-32), which in some countries stands in the place of a VAT id. */
export const shownTaxNumber = ({ taxNumber, vatId }: InvoiceParty): string =>
  taxNumber || (isVatId(vatId) ? '' : vatId);

/**
 * Returns the breakdown of tax (BG-23). It has one entry for each rate of a category (BR-S-08), also where a credit note
 * returns tax of several countries at one rate, or what was exempt for several reasons (BR-E-01).
 */
export function breakDownTax({ taxes }: InvoiceModel): TaxLine[] {
  const merged = new Map<string, TaxLine>();
  for (const tax of taxes) {
    const key = `${tax.category} ${tax.rate}`;
    const before = merged.get(key);
    merged.set(key, before ? addTax(before, tax) : tax);
  }
  return [...merged.values()];
}

const addTax = (one: TaxLine, other: TaxLine): TaxLine => ({
  ...one,
  reason: one.reason || other.reason,
  text: [...new Set([one.text, other.text])].filter(Boolean).join('; '),
  netCents: one.netCents + other.netCents,
  taxCents: one.taxCents + other.taxCents,
});

/**
 * Returns the identifier of a seller (BT-29). Only one without a VAT id and a number in a register has it, as BR-CO-26
 * requires one of the three: its tax number, otherwise its email address.
 */
export function sellerIdentifier(model: InvoiceModel): string {
  const { seller } = model;
  return shownVatId(model, seller) || seller.registration ? '' : shownTaxNumber(seller) || seller.email;
}

type ElectronicAddress = { scheme: string; id: string };

const whole = (vatId: string) => vatId;
const digits = (vatId: string) => vatId.slice(2);

/**
 * The schemes of Peppol's list of electronic addresses (EAS) whose identifiers derive from a VAT id, by its prefix.
 * Belgium, Denmark and Sweden use the number of the company, which is a part of the VAT id; Greece writes no prefix
 * (rule GR-R-009).
 */
const schemes: Readonly<Record<string, { scheme: string; toId: (vatId: string) => string }>> = {
  ...Object.fromEntries(
    Object.entries({
      ...{ AT: '9914', BG: '9926', CY: '9928', CZ: '9929', DE: '9930', DK: '0184', EE: '9931', ES: '9920' },
      ...{ FI: '0213', FR: '9957', GB: '9932', HR: '9934', HU: '9910', IE: '9935', IT: '0211', LT: '9937' },
      ...{ LU: '9938', LV: '9939', MT: '9943', NL: '9944', PL: '9945', PT: '9946', RO: '9947', SI: '9949' },
      ...{ SK: '9950' },
    }).map(([prefix, scheme]) => [prefix, { scheme, toId: whole }]),
  ),
  BE: { scheme: '0208', toId: digits },
  EL: { scheme: '9933', toId: digits },
  SE: { scheme: '0007', toId: (vatId) => vatId.slice(2, 12) },
};

/** Checks whether an address in Peppol derives from a VAT id. */
export const isInPeppol = (vatId: string): boolean => isVatId(vatId) && Object.hasOwn(schemes, vatId.slice(0, 2));

/** Returns the address of a party in the network (BT-34 and BT-49): by its VAT id, else its email address (EM). */
export function electronicAddress(model: InvoiceModel, party: InvoiceParty): ElectronicAddress {
  const vatId = shownVatId(model, party);
  const known = schemes[vatId.slice(0, 2)];
  return known ? { scheme: known.scheme, id: known.toId(vatId) } : { scheme: 'EM', id: party.email };
}

/** The scheme of the number in the register of companies (BT-30), where national rules of Peppol require one. */
const registers: Readonly<Record<string, { scheme: string; form: RegExp }>> = {
  NL: { scheme: '0106', form: /^\d{8}$/ },
  SE: { scheme: '0007', form: /^\d{10}$/ },
};

/** Returns the scheme of the registration of a party; empty for none. */
export function registrationScheme({ country, registration }: InvoiceParty): string {
  const register = registers[country];
  return register?.form.test(registration) ? register.scheme : '';
}

/** The specification that a document follows and its process (BT-24 and BT-23). */
type Specification = { customization: string; process: string };

export const en16931 = 'urn:cen.eu:en16931:2017';
const billing = 'urn:fdc:peppol.eu:2017:poacc:billing';
const selfBilling = 'urn:fdc:peppol.eu:2017:poacc:selfbilling';

/**
 * Chooses the narrowest specification whose required fields a document has: XRechnung 3.0 for German buyers with a
 * reference (the Leitweg-ID of an authority), Peppol BIS Billing 3.0 or its self-billing between parties with an address
 * in Peppol, else EN 16931 itself.
 */
export function chooseSpecification(model: InvoiceModel): Specification {
  if (isXRechnung(model))
    return { customization: `${en16931}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0`, process: `${billing}:01:1.0` };
  if (!isPeppol(model)) return { customization: en16931, process: '' };
  const name = model.code === '389' ? selfBilling : billing;
  return { customization: `${en16931}#compliant#${name}:3.0`, process: `${name}:01:1.0` };
}

const isGiven = (...texts: string[]) => texts.every((text) => text.trim() !== '');

/** Rules BR-DE-2 to BR-DE-9 and BR-DE-14 to BR-DE-16 of XRechnung. */
function isXRechnung(model: InvoiceModel): boolean {
  const { seller, buyer, buyerReference } = model;
  const { contact } = seller;
  return (
    buyer.country === 'DE' &&
    !isOutsideScope(model) &&
    isGiven(buyerReference, contact.name, contact.phone, contact.email, seller.city, seller.postcode) &&
    isGiven(buyer.city, buyer.postcode, shownVatId(model, seller) || shownTaxNumber(seller), seller.email, buyer.email)
  );
}

/** The rules of Peppol for sellers of a country, of what the model can lack. */
const nationalRules: Readonly<Record<string, (seller: InvoiceParty, buyer: InvoiceParty) => boolean>> = {
  // DK-R-002, GR-R-001 and IS-R-001 ask for numbers of national systems.
  DK: () => false,
  GR: () => false,
  IS: () => false,
  IT: ({ street, city, postcode, taxNumber }) =>
    isGiven(street, city, postcode) && /^([A-Z0-9]{11,16})?$/.test(taxNumber),
  NL: (seller, buyer) =>
    [seller, buyer].every((party) => party.country !== 'NL' || isGiven(party.street, party.city, party.postcode)) &&
    isRegisteredInForm(seller),
  // SE-R-005: the tax number would have to be the words for an approval of another tax.
  SE: (seller) => isRegisteredInForm(seller) && shownTaxNumber(seller) === '',
};
const isRegisteredInForm = (party: InvoiceParty) => party.registration === '' || registrationScheme(party) !== '';

/** Rules PEPPOL-EN16931-R003, R010, R020 and CL008, and the national ones. */
function isPeppol(model: InvoiceModel): boolean {
  const { seller, buyer, buyerReference, orderNumber } = model;
  // DE-R-001 to DE-R-031 ask German parties for what XRechnung asks for.
  if (seller.country === 'DE' && buyer.country === 'DE') return false;
  const isAddressed = [seller, buyer].every((party) => electronicAddress(model, party).scheme !== 'EM');
  return (
    isAddressed && isGiven(buyerReference || orderNumber) && (nationalRules[seller.country]?.(seller, buyer) ?? true)
  );
}
