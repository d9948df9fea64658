import type { TaxLine } from '@/db/schema/invoices';
import type { InvoiceLine, InvoiceModel, InvoiceParty } from '@/lib/invoices/model';
import { toDecimalString, walletCurrency } from '@/lib/money';
import * as terms from './terms';
import { writeXml, type XmlElement, type XmlNode } from './xml';

const standard = 'urn:un:unece:uncefact:data:standard';

/**
 * Writes a document as a Cross Industry Invoice (UN/CEFACT D22B) in the terms of EN 16931: the profile of the same name
 * of Factur-X and ZUGFeRD.
 * @returns the XML as UTF-8 text
 */
export function writeCii(model: InvoiceModel): string {
  const { orderNumber } = model;
  return writeXml({
    'rsm:CrossIndustryInvoice': {
      '@xmlns:rsm': `${standard}:CrossIndustryInvoice:100`,
      '@xmlns:qdt': `${standard}:QualifiedDataType:100`,
      '@xmlns:ram': `${standard}:ReusableAggregateBusinessInformationEntity:100`,
      '@xmlns:udt': `${standard}:UnqualifiedDataType:100`,
      'rsm:ExchangedDocumentContext': {
        'ram:GuidelineSpecifiedDocumentContextParameter': { 'ram:ID': terms.en16931 },
      },
      'rsm:ExchangedDocument': {
        'ram:ID': model.number,
        'ram:TypeCode': model.code,
        'ram:IssueDateTime': date('udt', model.issuedOn),
        'ram:IncludedNote': model.notes.map((note) => ({ 'ram:Content': note })),
      },
      'rsm:SupplyChainTradeTransaction': {
        'ram:IncludedSupplyChainTradeLineItem': model.lines.map((line, at) => writeLine(line, String(at + 1))),
        'ram:ApplicableHeaderTradeAgreement': {
          'ram:BuyerReference': model.buyerReference,
          'ram:SellerTradeParty': writeParty(model, model.seller, 'seller'),
          'ram:BuyerTradeParty': writeParty(model, model.buyer, 'buyer'),
          'ram:SellerOrderReferencedDocument': { 'ram:IssuerAssignedID': orderNumber },
          // Buyers order on the marketplace, so that both parties know an order by one number.
          'ram:BuyerOrderReferencedDocument': { 'ram:IssuerAssignedID': orderNumber },
        },
        'ram:ApplicableHeaderTradeDelivery': {
          'ram:ActualDeliverySupplyChainEvent': { 'ram:OccurrenceDateTime': date('udt', model.suppliedOn) },
        },
        'ram:ApplicableHeaderTradeSettlement': writeSettlement(model),
      },
    },
  });
}

function writeSettlement(model: InvoiceModel): XmlElement {
  const { accountingTax } = model;
  return {
    'ram:TaxCurrencyCode': accountingTax?.currency ?? null,
    'ram:InvoiceCurrencyCode': walletCurrency,
    'ram:SpecifiedTradeSettlementPaymentMeans': { 'ram:TypeCode': terms.paymentMeansCode },
    'ram:ApplicableTradeTax': terms.breakDownTax(model).map(writeTax),
    'ram:SpecifiedTradePaymentTerms': { 'ram:Description': terms.paymentTerms(model) },
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation': {
      'ram:LineTotalAmount': toDecimalString(model.netCents),
      'ram:TaxBasisTotalAmount': toDecimalString(model.netCents),
      'ram:TaxTotalAmount': [
        taxTotal(model.taxCents, walletCurrency),
        accountingTax && taxTotal(accountingTax.taxMinor, accountingTax.currency),
      ],
      'ram:GrandTotalAmount': toDecimalString(model.totalCents),
      'ram:TotalPrepaidAmount': model.paidCents > 0 ? toDecimalString(model.paidCents) : null,
      'ram:DuePayableAmount': toDecimalString(terms.dueCents(model)),
    },
    'ram:InvoiceReferencedDocument': model.preceding.map(({ number, issuedOn }) => ({
      'ram:IssuerAssignedID': number,
      'ram:FormattedIssueDateTime': date('qdt', issuedOn),
    })),
  };
}

/** @param day YYYY-MM-DD; format 102 is YYYYMMDD */
const date = (prefix: 'udt' | 'qdt', day: string): XmlElement => ({
  [`${prefix}:DateTimeString`]: { '#text': day.replaceAll('-', ''), '@format': '102' },
});

/** @param minor hundredths of the currency */
const taxTotal = (minor: number, currency: string): XmlNode => ({
  '#text': toDecimalString(minor),
  '@currencyID': currency,
});

function writeParty(model: InvoiceModel, party: InvoiceParty, role: 'seller' | 'buyer'): XmlElement {
  const { scheme, id } = terms.electronicAddress(model, party);
  const { contact } = party;
  return {
    'ram:ID': role === 'seller' ? terms.sellerIdentifier(model) : '',
    'ram:Name': party.name,
    'ram:SpecifiedLegalOrganization': {
      'ram:ID': { '#text': party.registration, '@schemeID': terms.registrationScheme(party) },
    },
    'ram:DefinedTradeContact': {
      'ram:PersonName': contact.name,
      'ram:TelephoneUniversalCommunication': { 'ram:CompleteNumber': contact.phone },
      'ram:EmailURIUniversalCommunication': { 'ram:URIID': contact.email },
    },
    'ram:PostalTradeAddress': {
      'ram:PostcodeCode': party.postcode,
      'ram:LineOne': party.street,
      'ram:CityName': party.city,
      'ram:CountryID': party.country,
      'ram:CountrySubDivisionName': party.region,
    },
    'ram:URIUniversalCommunication': { 'ram:URIID': { '#text': id, '@schemeID': scheme } },
    'ram:SpecifiedTaxRegistration': [
      { 'ram:ID': { '#text': terms.shownVatId(model, party), '@schemeID': 'VA' } },
      // BT-32 is of sellers only.
      role === 'seller' ? { 'ram:ID': { '#text': terms.shownTaxNumber(party), '@schemeID': 'FC' } } : null,
    ],
  };
}

const writeTax = (tax: TaxLine): XmlElement => ({
  'ram:CalculatedAmount': toDecimalString(tax.taxCents),
  'ram:TypeCode': 'VAT',
  'ram:ExemptionReason': terms.exemptionText(tax),
  'ram:BasisAmount': toDecimalString(tax.netCents),
  'ram:CategoryCode': tax.category,
  'ram:ExemptionReasonCode': tax.reason,
  'ram:RateApplicablePercent': percent(tax),
});

/** BR-O-05: what is outside the scope of VAT has no rate. */
const percent = ({ rate, category }: Pick<TaxLine, 'rate' | 'category'>): XmlNode =>
  category === 'O' ? null : terms.formatRate(rate);

function writeLine(line: InvoiceLine, id: string): XmlElement {
  const { cents, baseQuantity } = terms.unitPrice(line);
  return {
    'ram:AssociatedDocumentLineDocument': { 'ram:LineID': id },
    'ram:SpecifiedTradeProduct': { 'ram:Name': line.title, 'ram:Description': line.details.join('\n') },
    'ram:SpecifiedLineTradeAgreement': {
      'ram:NetPriceProductTradePrice': {
        'ram:ChargeAmount': toDecimalString(cents),
        'ram:BasisQuantity': baseQuantity > 1 ? quantity(baseQuantity) : null,
      },
    },
    'ram:SpecifiedLineTradeDelivery': { 'ram:BilledQuantity': quantity(line.quantity) },
    'ram:SpecifiedLineTradeSettlement': {
      'ram:ApplicableTradeTax': {
        'ram:TypeCode': 'VAT',
        'ram:CategoryCode': line.tax.category,
        'ram:RateApplicablePercent': percent(line.tax),
      },
      'ram:SpecifiedTradeSettlementLineMonetarySummation': { 'ram:LineTotalAmount': toDecimalString(line.netCents) },
    },
  };
}

const quantity = (count: number): XmlNode => ({ '#text': String(count), '@unitCode': terms.unitCode });
