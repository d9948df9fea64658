import { findAll, findOne, textAt, type XmlTree } from './xml-tree';

/** The business terms of EN 16931 that the rules are about. Texts and amounts that a document lacks are ''. */
export type Terms = {
  isUbl: boolean;
  isCreditNote: boolean;
  hasEmptyElement: boolean;
  specification: string;
  process: string;
  number: string;
  issuedOn: string;
  dueOn: string;
  code: string;
  notes: number;
  currency: string;
  taxCurrency: string;
  buyerReference: string;
  orderNumber: string;
  preceding: string[];
  seller: PartyTerms;
  buyer: PartyTerms;
  hasTaxRepresentative: boolean;
  suppliedOn: string;
  paymentMeans: { code: string; account: string }[];
  paymentTerms: string;
  adjustments: { isCharge: boolean; amount: string; category: string; rate: string; reason: string }[];
  taxTotals: { amount: string; currency: string }[];
  taxes: { net: string; tax: string; category: string; rate: string; exemption: string; reason: string }[];
  totals: Record<'lines' | 'allowances' | 'charges' | 'net' | 'gross' | 'paid' | 'rounding' | 'due', string>;
  lines: LineTerms[];
  /** Amounts with at most two decimals, by the number of their term. */
  amounts: [term: string, amount: string][];
  currencies: string[];
  countries: string[];
};

export type PartyTerms = {
  name: string;
  address: { id: string; scheme: string };
  isAddressed: boolean;
  country: string;
  hasPostalAddress: boolean;
  street: string;
  city: string;
  postcode: string;
  vatIds: string[];
  taxNumbers: string[];
  ids: string[];
  registration: string;
  registrationScheme: string;
  hasContact: boolean;
  contact: { name: string; phone: string; email: string };
};

type LineTerms = {
  id: string;
  quantity: string;
  unit: string;
  net: string;
  name: string;
  price: string;
  baseQuantity: string;
  baseUnit: string;
  adjustments: { isCharge: boolean; amount: string }[];
  category: string;
  rate: string;
};

const attribute = (element: XmlTree | undefined, name: string) => element?.attributes.get(name) ?? '';
const textsAt = (from: XmlTree | undefined, path: string) => findAll(from, path).map(({ text }) => text.trim());

const hasEmpty = ({ children, text }: XmlTree): boolean =>
  children.length === 0 ? text.trim() === '' : children.some(hasEmpty);

/** Reads the terms of a UBL invoice or credit note. */
export function readUbl(root: XmlTree): Terms {
  const isCreditNote = root.name === 'ubl:CreditNote';
  const totals = findOne(root, 'cac:LegalMonetaryTotal');
  const total = (name: string) => textAt(totals, `cbc:${name}Amount`);
  const subtotals = findAll(root, 'cac:TaxTotal/cac:TaxSubtotal');
  const lines = findAll(root, isCreditNote ? 'cac:CreditNoteLine' : 'cac:InvoiceLine');
  const taxTotals = findAll(root, 'cac:TaxTotal/cbc:TaxAmount');
  const parties = ['cac:AccountingSupplierParty/cac:Party', 'cac:AccountingCustomerParty/cac:Party'] as const;
  const [seller, buyer] = parties.map((path) => readUblParty(findOne(root, path)));
  if (!seller || !buyer) throw new Error('The document has no parties.');
  return {
    ...{ isUbl: true, isCreditNote, hasEmptyElement: hasEmpty(root), seller, buyer },
    specification: textAt(root, 'cbc:CustomizationID'),
    process: textAt(root, 'cbc:ProfileID'),
    number: textAt(root, 'cbc:ID'),
    issuedOn: textAt(root, 'cbc:IssueDate'),
    dueOn: textAt(root, 'cbc:DueDate') || textAt(root, 'cac:PaymentMeans/cbc:PaymentDueDate'),
    code: textAt(root, isCreditNote ? 'cbc:CreditNoteTypeCode' : 'cbc:InvoiceTypeCode'),
    notes: findAll(root, 'cbc:Note').length,
    currency: textAt(root, 'cbc:DocumentCurrencyCode'),
    taxCurrency: textAt(root, 'cbc:TaxCurrencyCode'),
    buyerReference: textAt(root, 'cbc:BuyerReference'),
    orderNumber: textAt(root, 'cac:OrderReference/cbc:ID'),
    preceding: findAll(root, 'cac:BillingReference').map((one) => textAt(one, 'cac:InvoiceDocumentReference/cbc:ID')),
    hasTaxRepresentative: findOne(root, 'cac:TaxRepresentativeParty') !== undefined,
    suppliedOn: textAt(root, 'cac:Delivery/cbc:ActualDeliveryDate'),
    paymentMeans: findAll(root, 'cac:PaymentMeans').map((means) => ({
      code: textAt(means, 'cbc:PaymentMeansCode'),
      account: textAt(means, 'cac:PayeeFinancialAccount/cbc:ID'),
    })),
    paymentTerms: textAt(root, 'cac:PaymentTerms/cbc:Note'),
    adjustments: findAll(root, 'cac:AllowanceCharge').map((one) => ({
      ...readUblAdjustment(one),
      category: vatCategory(findOne(one, 'cac:TaxCategory')),
      rate: textAt(one, 'cac:TaxCategory/cbc:Percent'),
      reason: textAt(one, 'cbc:AllowanceChargeReason') || textAt(one, 'cbc:AllowanceChargeReasonCode'),
    })),
    taxTotals: taxTotals.map((one) => ({ amount: one.text.trim(), currency: attribute(one, 'currencyID') })),
    taxes: subtotals.map((one) => ({
      net: textAt(one, 'cbc:TaxableAmount'),
      tax: textAt(one, 'cbc:TaxAmount'),
      category: vatCategory(findOne(one, 'cac:TaxCategory')),
      rate: textAt(one, 'cac:TaxCategory/cbc:Percent'),
      exemption: textAt(one, 'cac:TaxCategory/cbc:TaxExemptionReason'),
      reason: textAt(one, 'cac:TaxCategory/cbc:TaxExemptionReasonCode'),
    })),
    totals: {
      lines: total('LineExtension'),
      allowances: total('AllowanceTotal'),
      charges: total('ChargeTotal'),
      net: total('TaxExclusive'),
      gross: total('TaxInclusive'),
      paid: total('Prepaid'),
      rounding: total('PayableRounding'),
      due: total('Payable'),
    },
    lines: lines.map((line) => {
      const quantity = findOne(line, isCreditNote ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity');
      const base = findOne(line, 'cac:Price/cbc:BaseQuantity');
      return {
        id: textAt(line, 'cbc:ID'),
        quantity: quantity?.text.trim() ?? '',
        unit: attribute(quantity, 'unitCode'),
        net: textAt(line, 'cbc:LineExtensionAmount'),
        name: textAt(line, 'cac:Item/cbc:Name'),
        price: textAt(line, 'cac:Price/cbc:PriceAmount'),
        baseQuantity: base?.text.trim() ?? '',
        baseUnit: attribute(base, 'unitCode'),
        adjustments: findAll(line, 'cac:AllowanceCharge').map(readUblAdjustment),
        category: vatCategory(findOne(line, 'cac:Item/cac:ClassifiedTaxCategory')),
        rate: textAt(line, 'cac:Item/cac:ClassifiedTaxCategory/cbc:Percent'),
      };
    }),
    amounts: [
      ...['LineExtension', 'AllowanceTotal', 'ChargeTotal', 'TaxExclusive', 'TaxInclusive', 'Prepaid', 'Payable'].map(
        (name, at) => [['09', '10', '11', '12', '14', '16', '18'][at] ?? '', total(name)] as [string, string],
      ),
      ...taxTotals.map(({ text }): [string, string] => ['13', text.trim()]),
      ...textsAt(root, 'cac:TaxTotal/cac:TaxSubtotal/cbc:TaxableAmount').map((one): [string, string] => ['19', one]),
      ...textsAt(root, 'cac:TaxTotal/cac:TaxSubtotal/cbc:TaxAmount').map((one): [string, string] => ['20', one]),
      ...lines.map((line): [string, string] => ['23', textAt(line, 'cbc:LineExtensionAmount')]),
    ],
    currencies: [
      ...(totals?.children ?? []),
      ...findAll(root, 'cac:TaxTotal/cac:TaxSubtotal/cbc:TaxableAmount'),
      ...findAll(root, 'cac:TaxTotal/cac:TaxSubtotal/cbc:TaxAmount'),
      ...lines.flatMap((line) => [
        ...findAll(line, 'cbc:LineExtensionAmount'),
        ...findAll(line, 'cac:Price/cbc:PriceAmount'),
      ]),
    ].map((one) => attribute(one, 'currencyID')),
    countries: parties.flatMap((path) => textsAt(root, `${path}/cac:PostalAddress/cac:Country/cbc:IdentificationCode`)),
  };
}

const vatCategory = (category: XmlTree | undefined) =>
  textAt(category, 'cac:TaxScheme/cbc:ID').toUpperCase() === 'VAT' ? textAt(category, 'cbc:ID') : '';

const readUblAdjustment = (one: XmlTree) => ({
  isCharge: textAt(one, 'cbc:ChargeIndicator') === 'true',
  amount: textAt(one, 'cbc:Amount'),
});

function readUblParty(party: XmlTree | undefined): PartyTerms {
  const address = findOne(party, 'cbc:EndpointID');
  const schemes = findAll(party, 'cac:PartyTaxScheme');
  const isVat = (scheme: XmlTree) => textAt(scheme, 'cac:TaxScheme/cbc:ID').toUpperCase() === 'VAT';
  const idsOf = (found: XmlTree[]) => found.flatMap((scheme) => textsAt(scheme, 'cbc:CompanyID'));
  const postal = findOne(party, 'cac:PostalAddress');
  const contact = findOne(party, 'cac:Contact');
  const registration = findOne(party, 'cac:PartyLegalEntity/cbc:CompanyID');
  return {
    name: textAt(party, 'cac:PartyLegalEntity/cbc:RegistrationName'),
    address: { id: address?.text.trim() ?? '', scheme: attribute(address, 'schemeID') },
    isAddressed: address !== undefined,
    country: textAt(postal, 'cac:Country/cbc:IdentificationCode'),
    hasPostalAddress: postal !== undefined,
    street: textAt(postal, 'cbc:StreetName'),
    city: textAt(postal, 'cbc:CityName'),
    postcode: textAt(postal, 'cbc:PostalZone'),
    vatIds: idsOf(schemes.filter(isVat)),
    taxNumbers: idsOf(schemes.filter((scheme) => !isVat(scheme))),
    ids: textsAt(party, 'cac:PartyIdentification/cbc:ID'),
    registration: registration?.text.trim() ?? '',
    registrationScheme: attribute(registration, 'schemeID'),
    hasContact: contact !== undefined,
    contact: {
      name: textAt(contact, 'cbc:Name'),
      phone: textAt(contact, 'cbc:Telephone'),
      email: textAt(contact, 'cbc:ElectronicMail'),
    },
  };
}

/** Reads the terms of a Cross Industry Invoice. */
export function readCii(root: XmlTree): Terms {
  const trade = findOne(root, 'rsm:SupplyChainTradeTransaction');
  const agreement = findOne(trade, 'ram:ApplicableHeaderTradeAgreement');
  const settlement = findOne(trade, 'ram:ApplicableHeaderTradeSettlement');
  const totals = findOne(settlement, 'ram:SpecifiedTradeSettlementHeaderMonetarySummation');
  const total = (name: string) => textAt(totals, `ram:${name}Amount`);
  const taxTotals = findAll(totals, 'ram:TaxTotalAmount');
  const code = textAt(root, 'rsm:ExchangedDocument/ram:TypeCode');
  const [seller, buyer] = ['Seller', 'Buyer'].map((role) => readCiiParty(findOne(agreement, `ram:${role}TradeParty`)));
  const lines = findAll(trade, 'ram:IncludedSupplyChainTradeLineItem');
  const taxes = findAll(settlement, 'ram:ApplicableTradeTax');
  const categoryOf = (tax: XmlTree | undefined) =>
    textAt(tax, 'ram:TypeCode') === 'VAT' ? textAt(tax, 'ram:CategoryCode') : '';
  const lineTotal =
    'ram:SpecifiedLineTradeSettlement/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount';
  if (!seller || !buyer) throw new Error('The document has no parties.');
  return {
    ...{ isUbl: false, isCreditNote: code === '381', hasEmptyElement: hasEmpty(root), code, seller, buyer },
    specification: textAt(root, 'rsm:ExchangedDocumentContext/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID'),
    process: textAt(root, 'rsm:ExchangedDocumentContext/ram:BusinessProcessSpecifiedDocumentContextParameter/ram:ID'),
    number: textAt(root, 'rsm:ExchangedDocument/ram:ID'),
    issuedOn: textAt(root, 'rsm:ExchangedDocument/ram:IssueDateTime/udt:DateTimeString'),
    dueOn: textAt(settlement, 'ram:SpecifiedTradePaymentTerms/ram:DueDateDateTime/udt:DateTimeString'),
    notes: findAll(root, 'rsm:ExchangedDocument/ram:IncludedNote').length,
    currency: textAt(settlement, 'ram:InvoiceCurrencyCode'),
    taxCurrency: textAt(settlement, 'ram:TaxCurrencyCode'),
    buyerReference: textAt(agreement, 'ram:BuyerReference'),
    orderNumber: textAt(agreement, 'ram:BuyerOrderReferencedDocument/ram:IssuerAssignedID'),
    preceding: findAll(settlement, 'ram:InvoiceReferencedDocument').map((one) => textAt(one, 'ram:IssuerAssignedID')),
    hasTaxRepresentative: findOne(agreement, 'ram:SellerTaxRepresentativeTradeParty') !== undefined,
    suppliedOn: textAt(
      trade,
      'ram:ApplicableHeaderTradeDelivery/ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime/udt:DateTimeString',
    ),
    paymentMeans: findAll(settlement, 'ram:SpecifiedTradeSettlementPaymentMeans').map((means) => ({
      code: textAt(means, 'ram:TypeCode'),
      account:
        textAt(means, 'ram:PayeePartyCreditorFinancialAccount/ram:IBANID') ||
        textAt(means, 'ram:PayeePartyCreditorFinancialAccount/ram:ProprietaryID'),
    })),
    paymentTerms: textAt(settlement, 'ram:SpecifiedTradePaymentTerms/ram:Description'),
    adjustments: findAll(settlement, 'ram:SpecifiedTradeAllowanceCharge').map((one) => ({
      ...readCiiAdjustment(one),
      category: textAt(one, 'ram:CategoryTradeTax/ram:CategoryCode'),
      rate: textAt(one, 'ram:CategoryTradeTax/ram:RateApplicablePercent'),
      reason: textAt(one, 'ram:Reason') || textAt(one, 'ram:ReasonCode'),
    })),
    taxTotals: taxTotals.map((one) => ({ amount: one.text.trim(), currency: attribute(one, 'currencyID') })),
    taxes: taxes.map((one) => ({
      net: textAt(one, 'ram:BasisAmount'),
      tax: textAt(one, 'ram:CalculatedAmount'),
      category: categoryOf(one),
      rate: textAt(one, 'ram:RateApplicablePercent'),
      exemption: textAt(one, 'ram:ExemptionReason'),
      reason: textAt(one, 'ram:ExemptionReasonCode'),
    })),
    totals: {
      lines: total('LineTotal'),
      allowances: total('AllowanceTotal'),
      charges: total('ChargeTotal'),
      net: total('TaxBasisTotal'),
      gross: total('GrandTotal'),
      paid: total('TotalPrepaid'),
      rounding: total('Rounding'),
      due: total('DuePayable'),
    },
    lines: lines.map((line) => {
      const price = findOne(line, 'ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice');
      const quantity = findOne(line, 'ram:SpecifiedLineTradeDelivery/ram:BilledQuantity');
      const base = findOne(price, 'ram:BasisQuantity');
      const tax = findOne(line, 'ram:SpecifiedLineTradeSettlement/ram:ApplicableTradeTax');
      return {
        id: textAt(line, 'ram:AssociatedDocumentLineDocument/ram:LineID'),
        quantity: quantity?.text.trim() ?? '',
        unit: attribute(quantity, 'unitCode'),
        net: textAt(line, lineTotal),
        name: textAt(line, 'ram:SpecifiedTradeProduct/ram:Name'),
        price: textAt(price, 'ram:ChargeAmount'),
        baseQuantity: base?.text.trim() ?? '',
        baseUnit: attribute(base, 'unitCode'),
        adjustments: findAll(line, 'ram:SpecifiedLineTradeSettlement/ram:SpecifiedTradeAllowanceCharge').map(
          readCiiAdjustment,
        ),
        category: categoryOf(tax),
        rate: textAt(tax, 'ram:RateApplicablePercent'),
      };
    }),
    amounts: [
      ...[
        'LineTotal',
        'AllowanceTotal',
        'ChargeTotal',
        'TaxBasisTotal',
        'GrandTotal',
        'TotalPrepaid',
        'DuePayable',
      ].map((name, at) => [['09', '10', '11', '12', '14', '16', '18'][at] ?? '', total(name)] as [string, string]),
      ...taxTotals.map(({ text }): [string, string] => ['13', text.trim()]),
      ...taxes.map((one): [string, string] => ['19', textAt(one, 'ram:BasisAmount')]),
      ...taxes.map((one): [string, string] => ['20', textAt(one, 'ram:CalculatedAmount')]),
      ...lines.map((line): [string, string] => ['23', textAt(line, lineTotal)]),
    ],
    currencies: taxTotals.map((one) => attribute(one, 'currencyID')),
    countries: ['Seller', 'Buyer'].flatMap((role) =>
      textsAt(agreement, `ram:${role}TradeParty/ram:PostalTradeAddress/ram:CountryID`),
    ),
  };
}

const readCiiAdjustment = (one: XmlTree) => ({
  isCharge: textAt(one, 'ram:ChargeIndicator/udt:Indicator') === 'true',
  amount: textAt(one, 'ram:ActualAmount'),
});

function readCiiParty(party: XmlTree | undefined): PartyTerms {
  const address = findOne(party, 'ram:URIUniversalCommunication/ram:URIID');
  const registrations = findAll(party, 'ram:SpecifiedTaxRegistration/ram:ID');
  const idsOf = (scheme: string) =>
    registrations.filter((one) => attribute(one, 'schemeID') === scheme).map(({ text }) => text.trim());
  const postal = findOne(party, 'ram:PostalTradeAddress');
  const contact = findOne(party, 'ram:DefinedTradeContact');
  const registration = findOne(party, 'ram:SpecifiedLegalOrganization/ram:ID');
  return {
    name: textAt(party, 'ram:Name'),
    address: { id: address?.text.trim() ?? '', scheme: attribute(address, 'schemeID') },
    isAddressed: findOne(party, 'ram:URIUniversalCommunication') !== undefined,
    country: textAt(postal, 'ram:CountryID'),
    hasPostalAddress: postal !== undefined,
    street: textAt(postal, 'ram:LineOne'),
    city: textAt(postal, 'ram:CityName'),
    postcode: textAt(postal, 'ram:PostcodeCode'),
    vatIds: idsOf('VA'),
    taxNumbers: idsOf('FC'),
    ids: [...textsAt(party, 'ram:ID'), ...textsAt(party, 'ram:GlobalID')],
    registration: registration?.text.trim() ?? '',
    registrationScheme: attribute(registration, 'schemeID'),
    hasContact: contact !== undefined,
    contact: {
      name: textAt(contact, 'ram:PersonName'),
      phone: textAt(contact, 'ram:TelephoneUniversalCommunication/ram:CompleteNumber'),
      email: textAt(contact, 'ram:EmailURIUniversalCommunication/ram:URIID'),
    },
  };
}
