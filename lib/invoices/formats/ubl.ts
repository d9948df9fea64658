import type { TaxLine } from '@/db/schema/invoices';
import type { InvoiceLine, InvoiceModel, InvoiceParty } from '@/lib/invoices/model';
import { toDecimalString, walletCurrency } from '@/lib/money';
import * as terms from './terms';
import { toXmlText, writeXml, type XmlElement, type XmlNode } from './xml';

const namespace = 'urn:oasis:names:specification:ubl:schema:xsd';

/**
 * Writes a document as UBL 2.1 in the terms of EN 16931: as Peppol BIS Billing 3.0, its self-billing, or XRechnung 3.0
 * where the document has all that they require.
 * @returns the XML as UTF-8 text
 */
export function writeUbl(model: InvoiceModel): string {
  const isCredit = model.code === '381';
  const name = isCredit ? 'CreditNote' : 'Invoice';
  const { customization, process } = terms.chooseSpecification(model);
  const { accountingTax, buyerReference, orderNumber } = model;
  return writeXml({
    [name]: {
      '@xmlns': `${namespace}:${name}-2`,
      '@xmlns:cac': `${namespace}:CommonAggregateComponents-2`,
      '@xmlns:cbc': `${namespace}:CommonBasicComponents-2`,
      'cbc:CustomizationID': customization,
      'cbc:ProfileID': process,
      'cbc:ID': model.number,
      'cbc:IssueDate': model.issuedOn,
      [`cbc:${name}TypeCode`]: model.code,
      // Peppol allows one note (PEPPOL-EN16931-R002).
      'cbc:Note': model.notes.join('\n'),
      'cbc:DocumentCurrencyCode': walletCurrency,
      'cbc:TaxCurrencyCode': accountingTax?.currency ?? null,
      'cbc:BuyerReference': buyerReference,
      // Buyers order on the marketplace, so that both parties know an order by one number: BT-13 is BT-14.
      'cac:OrderReference': { 'cbc:ID': orderNumber, 'cbc:SalesOrderID': orderNumber },
      'cac:BillingReference': model.preceding.map(({ number, issuedOn }) => ({
        'cac:InvoiceDocumentReference': { 'cbc:ID': number, 'cbc:IssueDate': issuedOn },
      })),
      'cac:AccountingSupplierParty': { 'cac:Party': writeParty(model, model.seller, 'seller') },
      'cac:AccountingCustomerParty': { 'cac:Party': writeParty(model, model.buyer, 'buyer') },
      'cac:Delivery': { 'cbc:ActualDeliveryDate': model.suppliedOn },
      'cac:PaymentMeans': { 'cbc:PaymentMeansCode': terms.paymentMeansCode },
      'cac:PaymentTerms': { 'cbc:Note': terms.paymentTerms(model) },
      'cac:TaxTotal': [
        { 'cbc:TaxAmount': amount(model.taxCents), 'cac:TaxSubtotal': terms.breakDownTax(model).map(writeTax) },
        accountingTax && { 'cbc:TaxAmount': amount(accountingTax.taxMinor, accountingTax.currency) },
      ],
      'cac:LegalMonetaryTotal': {
        'cbc:LineExtensionAmount': amount(model.netCents),
        'cbc:TaxExclusiveAmount': amount(model.netCents),
        'cbc:TaxInclusiveAmount': amount(model.totalCents),
        'cbc:PrepaidAmount': model.paidCents > 0 ? amount(model.paidCents) : null,
        'cbc:PayableAmount': amount(terms.dueCents(model)),
      },
      [`cac:${name}Line`]: model.lines.map((line, at) =>
        writeLine(line, String(at + 1), isCredit ? 'CreditedQuantity' : 'InvoicedQuantity'),
      ),
    },
  });
}

/** @param minor hundredths of the currency */
const amount = (minor: number, currency: string = walletCurrency): XmlNode => ({
  '#text': toDecimalString(minor),
  '@currencyID': currency,
});

const vat = { 'cbc:ID': 'VAT' };

function writeParty(model: InvoiceModel, party: InvoiceParty, role: 'seller' | 'buyer'): XmlElement {
  const { scheme, id } = terms.electronicAddress(model, party);
  const { contact } = party;
  return {
    'cbc:EndpointID': { '#text': id, '@schemeID': scheme },
    'cac:PartyIdentification': { 'cbc:ID': role === 'seller' ? terms.sellerIdentifier(model) : '' },
    'cac:PostalAddress': {
      'cbc:StreetName': party.street,
      'cbc:CityName': party.city,
      'cbc:PostalZone': party.postcode,
      'cbc:CountrySubentity': party.region,
      'cac:Country': { 'cbc:IdentificationCode': party.country },
    },
    'cac:PartyTaxScheme': [
      taxScheme(terms.shownVatId(model, party), vat),
      // BT-32 is of sellers only.
      role === 'seller' ? taxScheme(terms.shownTaxNumber(party), { 'cbc:ID': 'FC' }) : null,
    ],
    'cac:PartyLegalEntity': {
      'cbc:RegistrationName': party.name,
      'cbc:CompanyID': { '#text': party.registration, '@schemeID': terms.registrationScheme(party) },
    },
    'cac:Contact': {
      'cbc:Name': contact.name,
      'cbc:Telephone': contact.phone,
      'cbc:ElectronicMail': contact.email,
    },
  };
}

const taxScheme = (id: string, scheme: XmlElement): XmlNode =>
  toXmlText(id) === '' ? null : { 'cbc:CompanyID': id, 'cac:TaxScheme': scheme };

const writeTax = (tax: TaxLine): XmlElement => ({
  'cbc:TaxableAmount': amount(tax.netCents),
  'cbc:TaxAmount': amount(tax.taxCents),
  'cac:TaxCategory': {
    'cbc:ID': tax.category,
    'cbc:Percent': percent(tax),
    'cbc:TaxExemptionReasonCode': tax.reason,
    'cbc:TaxExemptionReason': terms.exemptionText(tax),
    'cac:TaxScheme': vat,
  },
});

/** BR-O-05: what is outside the scope of VAT has no rate. */
const percent = ({ rate, category }: Pick<TaxLine, 'rate' | 'category'>): XmlNode =>
  category === 'O' ? null : terms.formatRate(rate);

function writeLine(line: InvoiceLine, id: string, quantityName: string): XmlElement {
  const { cents, baseQuantity } = terms.unitPrice(line);
  return {
    'cbc:ID': id,
    [`cbc:${quantityName}`]: quantity(line.quantity),
    'cbc:LineExtensionAmount': amount(line.netCents),
    'cac:Item': {
      'cbc:Description': line.details.join('\n'),
      'cbc:Name': line.title,
      'cac:ClassifiedTaxCategory': {
        'cbc:ID': line.tax.category,
        'cbc:Percent': percent(line.tax),
        'cac:TaxScheme': vat,
      },
    },
    'cac:Price': {
      'cbc:PriceAmount': amount(cents),
      'cbc:BaseQuantity': baseQuantity > 1 ? quantity(baseQuantity) : null,
    },
  };
}

const quantity = (count: number): XmlNode => ({ '#text': String(count), '@unitCode': terms.unitCode });
