import type { XmlTree } from './xml-tree';

/**
 * The part of UBL 2.1 (docs.oasis-open.org/ubl/UBL-2.1) and of the Cross Industry Invoice D22B (unece.org) that the syntax
 * bindings of EN 16931 (CEN/TS 16931-3-2 and 3-3) use: elements in their order, with `?` 0..1, `*` 0..n, `+` 1..n.
 * A name that ends in a type of `leaves` is a text of that type; the others are groups below.
 */
const ublGroups = `
ubl:Invoice: ext:UBLExtensions? cbc:UBLVersionID?id cbc:CustomizationID?id cbc:ProfileID?id cbc:ID!id cbc:IssueDate!date
  cbc:DueDate?date cbc:InvoiceTypeCode?id cbc:Note*text cbc:TaxPointDate?date cbc:DocumentCurrencyCode?id
  cbc:TaxCurrencyCode?id cbc:AccountingCost?text cbc:BuyerReference?text cac:InvoicePeriod* cac:OrderReference?
  cac:BillingReference* cac:DespatchDocumentReference* cac:ReceiptDocumentReference* cac:OriginatorDocumentReference*
  cac:ContractDocumentReference* cac:AdditionalDocumentReference* cac:ProjectReference* cac:AccountingSupplierParty!
  cac:AccountingCustomerParty! cac:PayeeParty? cac:TaxRepresentativeParty? cac:Delivery? cac:PaymentMeans*
  cac:PaymentTerms* cac:AllowanceCharge* cac:TaxTotal* cac:LegalMonetaryTotal! cac:InvoiceLine+
ubl:CreditNote: ext:UBLExtensions? cbc:UBLVersionID?id cbc:CustomizationID?id cbc:ProfileID?id cbc:ID!id
  cbc:IssueDate!date cbc:TaxPointDate?date cbc:CreditNoteTypeCode?id cbc:Note*text cbc:DocumentCurrencyCode?id
  cbc:TaxCurrencyCode?id cbc:AccountingCost?text cbc:BuyerReference?text cac:InvoicePeriod* cac:OrderReference?
  cac:BillingReference* cac:DespatchDocumentReference* cac:ReceiptDocumentReference* cac:ContractDocumentReference*
  cac:AdditionalDocumentReference* cac:OriginatorDocumentReference* cac:AccountingSupplierParty!
  cac:AccountingCustomerParty! cac:PayeeParty? cac:TaxRepresentativeParty? cac:Delivery? cac:PaymentMeans*
  cac:PaymentTerms* cac:AllowanceCharge* cac:TaxTotal* cac:LegalMonetaryTotal! cac:CreditNoteLine+
cac:InvoicePeriod: cbc:StartDate?date cbc:EndDate?date cbc:DescriptionCode*id
cac:OrderReference: cbc:ID!id cbc:SalesOrderID?id
cac:BillingReference: cac:InvoiceDocumentReference?
cac:InvoiceDocumentReference cac:DespatchDocumentReference cac:ReceiptDocumentReference cac:OriginatorDocumentReference
  cac:ContractDocumentReference cac:AdditionalDocumentReference cac:DocumentReference: cbc:ID!id cbc:IssueDate?date
  cbc:DocumentTypeCode?id cbc:DocumentType?text cbc:DocumentDescription*text cac:Attachment?
cac:Attachment: cbc:EmbeddedDocumentBinaryObject?binary cac:ExternalReference?
cac:ExternalReference: cbc:URI?id
cac:ProjectReference: cbc:ID!id
cac:AccountingSupplierParty cac:AccountingCustomerParty: cac:Party?
cac:Party cac:PayeeParty cac:TaxRepresentativeParty: cbc:EndpointID?id cac:PartyIdentification* cac:PartyName*
  cac:PostalAddress? cac:PartyTaxScheme* cac:PartyLegalEntity? cac:Contact?
cac:PartyIdentification: cbc:ID!id
cac:PartyName: cbc:Name!text
cac:PostalAddress cac:Address: cbc:StreetName?text cbc:AdditionalStreetName?text cbc:CityName?text cbc:PostalZone?text
  cbc:CountrySubentity?text cac:AddressLine* cac:Country?
cac:AddressLine: cbc:Line!text
cac:Country cac:OriginCountry: cbc:IdentificationCode?id cbc:Name?text
cac:PartyTaxScheme: cbc:CompanyID!id cac:TaxScheme!
cac:TaxScheme: cbc:ID!id
cac:PartyLegalEntity: cbc:RegistrationName?text cbc:CompanyID?id cbc:CompanyLegalForm?text
cac:Contact: cbc:Name?text cbc:Telephone?text cbc:ElectronicMail?text
cac:Delivery: cbc:ActualDeliveryDate?date cac:DeliveryLocation? cac:DeliveryParty?
cac:DeliveryLocation: cbc:ID?id cac:Address?
cac:DeliveryParty: cac:PartyName*
cac:PaymentMeans: cbc:PaymentMeansCode!id cbc:PaymentDueDate?date cbc:PaymentChannelCode?id cbc:PaymentID*id
  cac:CardAccount? cac:PayeeFinancialAccount? cac:PaymentMandate?
cac:CardAccount: cbc:PrimaryAccountNumberID!id cbc:NetworkID!id cbc:HolderName?text
cac:PayeeFinancialAccount cac:PayerFinancialAccount: cbc:ID?id cbc:Name?text cac:FinancialInstitutionBranch?
cac:FinancialInstitutionBranch: cbc:ID?id
cac:PaymentMandate: cbc:ID?id cac:PayerFinancialAccount?
cac:PaymentTerms: cbc:Note*text
cac:AllowanceCharge: cbc:ChargeIndicator!bool cbc:AllowanceChargeReasonCode?id cbc:AllowanceChargeReason*text
  cbc:MultiplierFactorNumeric?decimal cbc:Amount!amount cbc:BaseAmount?amount cac:TaxCategory*
cac:TaxTotal: cbc:TaxAmount!amount cac:TaxSubtotal*
cac:TaxSubtotal: cbc:TaxableAmount?amount cbc:TaxAmount!amount cac:TaxCategory!
cac:TaxCategory cac:ClassifiedTaxCategory: cbc:ID?id cbc:Name?text cbc:Percent?decimal cbc:TaxExemptionReasonCode?id
  cbc:TaxExemptionReason?text cac:TaxScheme!
cac:LegalMonetaryTotal: cbc:LineExtensionAmount?amount cbc:TaxExclusiveAmount?amount cbc:TaxInclusiveAmount?amount
  cbc:AllowanceTotalAmount?amount cbc:ChargeTotalAmount?amount cbc:PrepaidAmount?amount cbc:PayableRoundingAmount?amount
  cbc:PayableAmount!amount
cac:InvoiceLine cac:CreditNoteLine: cbc:ID!id cbc:Note*text cbc:InvoicedQuantity?quantity cbc:CreditedQuantity?quantity
  cbc:LineExtensionAmount!amount cbc:AccountingCost?text cac:InvoicePeriod* cac:OrderLineReference*
  cac:DocumentReference* cac:AllowanceCharge* cac:Item! cac:Price?
cac:OrderLineReference: cbc:LineID!id
cac:Item: cbc:Description?text cbc:Name?text cac:BuyersItemIdentification? cac:SellersItemIdentification?
  cac:StandardItemIdentification? cac:OriginCountry? cac:CommodityClassification* cac:ClassifiedTaxCategory?
  cac:AdditionalItemProperty*
cac:BuyersItemIdentification cac:SellersItemIdentification cac:StandardItemIdentification: cbc:ID!id
cac:CommodityClassification: cbc:ItemClassificationCode?id
cac:AdditionalItemProperty: cbc:Name!text cbc:Value?text
cac:Price: cbc:PriceAmount!amount cbc:BaseQuantity?quantity cac:AllowanceCharge*`;

const ciiGroups = `
rsm:CrossIndustryInvoice: rsm:ExchangedDocumentContext! rsm:ExchangedDocument! rsm:SupplyChainTradeTransaction!
rsm:ExchangedDocumentContext: ram:BusinessProcessSpecifiedDocumentContextParameter?
  ram:GuidelineSpecifiedDocumentContextParameter?
ram:BusinessProcessSpecifiedDocumentContextParameter ram:GuidelineSpecifiedDocumentContextParameter: ram:ID?id
rsm:ExchangedDocument: ram:ID?id ram:Name?text ram:TypeCode?id ram:IssueDateTime? ram:IncludedNote*
ram:IssueDateTime ram:OccurrenceDateTime ram:DueDateDateTime ram:StartDateTime ram:EndDateTime: udt:DateTimeString!date102
ram:FormattedIssueDateTime: qdt:DateTimeString!date102
ram:IncludedNote: ram:Content*text ram:SubjectCode?id
rsm:SupplyChainTradeTransaction: ram:IncludedSupplyChainTradeLineItem* ram:ApplicableHeaderTradeAgreement!
  ram:ApplicableHeaderTradeDelivery! ram:ApplicableHeaderTradeSettlement!
ram:IncludedSupplyChainTradeLineItem: ram:AssociatedDocumentLineDocument? ram:SpecifiedTradeProduct?
  ram:SpecifiedLineTradeAgreement? ram:SpecifiedLineTradeDelivery? ram:SpecifiedLineTradeSettlement!
ram:AssociatedDocumentLineDocument: ram:LineID?id ram:IncludedNote*
ram:SpecifiedTradeProduct: ram:GlobalID*id ram:SellerAssignedID?id ram:BuyerAssignedID?id ram:Name?text
  ram:Description?text ram:ApplicableProductCharacteristic* ram:DesignatedProductClassification* ram:OriginTradeCountry?
ram:ApplicableProductCharacteristic: ram:TypeCode?id ram:Description*text ram:Value*text
ram:DesignatedProductClassification: ram:ClassCode?id ram:ClassName?text
ram:OriginTradeCountry: ram:ID?id
ram:SpecifiedLineTradeAgreement: ram:BuyerOrderReferencedDocument? ram:GrossPriceProductTradePrice?
  ram:NetPriceProductTradePrice?
ram:GrossPriceProductTradePrice ram:NetPriceProductTradePrice: ram:ChargeAmount?decimal ram:BasisQuantity?quantity
  ram:AppliedTradeAllowanceCharge*
ram:SpecifiedLineTradeDelivery: ram:BilledQuantity?quantity
ram:SpecifiedLineTradeSettlement: ram:ApplicableTradeTax* ram:BillingSpecifiedPeriod? ram:SpecifiedTradeAllowanceCharge*
  ram:SpecifiedTradeSettlementLineMonetarySummation? ram:AdditionalReferencedDocument*
  ram:ReceivableSpecifiedTradeAccountingAccount*
ram:SpecifiedTradeSettlementLineMonetarySummation: ram:LineTotalAmount?decimal
ram:ApplicableHeaderTradeAgreement: ram:BuyerReference?text ram:SellerTradeParty? ram:BuyerTradeParty?
  ram:SellerTaxRepresentativeTradeParty? ram:SellerOrderReferencedDocument? ram:BuyerOrderReferencedDocument?
  ram:ContractReferencedDocument? ram:AdditionalReferencedDocument* ram:SpecifiedProcuringProject?
ram:SellerTradeParty ram:BuyerTradeParty ram:SellerTaxRepresentativeTradeParty ram:ShipToTradeParty ram:PayeeTradeParty:
  ram:ID*id ram:GlobalID*id ram:Name?text ram:Description?text ram:SpecifiedLegalOrganization? ram:DefinedTradeContact?
  ram:PostalTradeAddress? ram:URIUniversalCommunication? ram:SpecifiedTaxRegistration*
ram:SpecifiedLegalOrganization: ram:ID?id ram:TradingBusinessName?text
ram:DefinedTradeContact: ram:PersonName?text ram:DepartmentName?text ram:TelephoneUniversalCommunication?
  ram:FaxUniversalCommunication? ram:EmailURIUniversalCommunication?
ram:TelephoneUniversalCommunication ram:FaxUniversalCommunication ram:EmailURIUniversalCommunication
  ram:URIUniversalCommunication: ram:URIID?id ram:CompleteNumber?text
ram:PostalTradeAddress: ram:PostcodeCode?id ram:LineOne?text ram:LineTwo?text ram:LineThree?text ram:CityName?text
  ram:CountryID?id ram:CountrySubDivisionName?text
ram:SpecifiedTaxRegistration: ram:ID?id
ram:SellerOrderReferencedDocument ram:BuyerOrderReferencedDocument ram:ContractReferencedDocument
  ram:AdditionalReferencedDocument ram:InvoiceReferencedDocument ram:DespatchAdviceReferencedDocument
  ram:ReceivingAdviceReferencedDocument: ram:IssuerAssignedID?id ram:URIID?id ram:LineID?id ram:TypeCode?id ram:Name*text
  ram:AttachmentBinaryObject*binary ram:ReferenceTypeCode?id ram:FormattedIssueDateTime?
ram:SpecifiedProcuringProject: ram:ID?id ram:Name?text
ram:ApplicableHeaderTradeDelivery: ram:ShipToTradeParty? ram:ActualDeliverySupplyChainEvent?
  ram:DespatchAdviceReferencedDocument? ram:ReceivingAdviceReferencedDocument?
ram:ActualDeliverySupplyChainEvent: ram:OccurrenceDateTime?
ram:ApplicableHeaderTradeSettlement: ram:CreditorReferenceID?id ram:PaymentReference?text ram:TaxCurrencyCode?id
  ram:InvoiceCurrencyCode?id ram:PayeeTradeParty? ram:SpecifiedTradeSettlementPaymentMeans* ram:ApplicableTradeTax*
  ram:BillingSpecifiedPeriod? ram:SpecifiedTradeAllowanceCharge* ram:SpecifiedTradePaymentTerms*
  ram:SpecifiedTradeSettlementHeaderMonetarySummation! ram:InvoiceReferencedDocument*
  ram:ReceivableSpecifiedTradeAccountingAccount*
ram:ReceivableSpecifiedTradeAccountingAccount: ram:ID?id
ram:SpecifiedTradeSettlementPaymentMeans: ram:TypeCode?id ram:Information*text ram:ApplicableTradeSettlementFinancialCard?
  ram:PayerPartyDebtorFinancialAccount? ram:PayeePartyCreditorFinancialAccount?
  ram:PayeeSpecifiedCreditorFinancialInstitution?
ram:ApplicableTradeSettlementFinancialCard: ram:ID?id ram:CardholderName?text
ram:PayerPartyDebtorFinancialAccount ram:PayeePartyCreditorFinancialAccount: ram:IBANID?id ram:AccountName?text
  ram:ProprietaryID?id
ram:PayeeSpecifiedCreditorFinancialInstitution: ram:BICID?id
ram:ApplicableTradeTax ram:CategoryTradeTax: ram:CalculatedAmount?decimal ram:TypeCode?id ram:ExemptionReason?text
  ram:BasisAmount?decimal ram:CategoryCode?id ram:ExemptionReasonCode?id ram:TaxPointDate? ram:DueDateTypeCode?id
  ram:RateApplicablePercent?decimal
ram:TaxPointDate: udt:DateString!date102
ram:BillingSpecifiedPeriod: ram:StartDateTime? ram:EndDateTime?
ram:SpecifiedTradeAllowanceCharge ram:AppliedTradeAllowanceCharge: ram:ChargeIndicator? ram:CalculationPercent?decimal
  ram:BasisAmount?decimal ram:ActualAmount?decimal ram:ReasonCode?id ram:Reason?text ram:CategoryTradeTax*
ram:ChargeIndicator: udt:Indicator!bool
ram:SpecifiedTradePaymentTerms: ram:Description*text ram:DueDateDateTime? ram:DirectDebitMandateID*id
ram:SpecifiedTradeSettlementHeaderMonetarySummation: ram:LineTotalAmount?decimal ram:ChargeTotalAmount?decimal
  ram:AllowanceTotalAmount?decimal ram:TaxBasisTotalAmount?decimal ram:TaxTotalAmount*decimal ram:RoundingAmount?decimal
  ram:GrandTotalAmount?decimal ram:TotalPrepaidAmount?decimal ram:DuePayableAmount?decimal`;

const decimal = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)\s*$/;

/** The texts of elements without children, and the attribute that they require. */
const leaves: Readonly<Record<string, { form: RegExp; attribute?: [name: string, form: RegExp] }>> = {
  id: { form: /^/ },
  text: { form: /^/ },
  date: { form: /^\s*\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])\s*$/ },
  date102: { form: /^\s*\d{4}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\s*$/, attribute: ['format', /^102$/] },
  amount: { form: decimal, attribute: ['currencyID', /./] },
  quantity: { form: decimal },
  decimal: { form: decimal },
  bool: { form: /^\s*(true|false|0|1)\s*$/ },
  binary: { form: /^[A-Za-z0-9+/=\s]*$/, attribute: ['mimeCode', /./] },
};

type Particle = { name: string; min: number; max: number; leaf: string };

const groups: ReadonlyMap<string, Particle[]> = new Map(
  `${ublGroups}${ciiGroups}`
    .trim()
    .replace(/\n {2}/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [names = '', content = ''] = line.split(/: /);
      return names.split(' ').map((name) => [name, content.trim().split(/\s+/).map(readParticle)] as const);
    }),
);

function readParticle(text: string): Particle {
  const [, name, sign, leaf = ''] = /^([\w:]+)([!?*+])(\w*)$/.exec(text) ?? [];
  if (!name || !sign || (leaf !== '' && !leaves[leaf])) throw new Error(`This is no element: ${text}`);
  return { name, leaf, min: '!+'.includes(sign) ? 1 : 0, max: '*+'.includes(sign) ? Number.POSITIVE_INFINITY : 1 };
}

/** Checks the elements of a document, their order, number and types. @returns what is wrong, each with its place */
export function checkStructure(root: XmlTree): string[] {
  return checkGroup(root, root.name);
}

function checkGroup({ name, children }: XmlTree, path: string): string[] {
  const particles = groups.get(name);
  if (!particles) return [`structure ${path}: this element is not known`];
  const errors: string[] = [];
  let at = 0;
  for (const { name: expected, min, max, leaf } of particles) {
    const start = at;
    while (children[at]?.name === expected) at += 1;
    const count = at - start;
    if (count < min || count > max) errors.push(`structure ${path}: ${count} of ${expected}`);
    for (const child of children.slice(start, at)) {
      const place = `${path}/${expected}`;
      // Extensions may contain anything.
      if (expected.startsWith('ext:')) continue;
      errors.push(...(leaf === '' ? checkGroup(child, place) : checkLeaf(child, leaf, place)));
    }
  }
  const unexpected = children[at];
  return unexpected ? [...errors, `structure ${path}: ${unexpected.name} is not allowed here`] : errors;
}

function checkLeaf({ children, text, attributes }: XmlTree, leaf: string, path: string): string[] {
  const type = leaves[leaf];
  if (!type || children.length > 0 || !type.form.test(text)) return [`structure ${path}: "${text}" is no ${leaf}`];
  const [name, form] = type.attribute ?? [];
  if (name && !form?.test(attributes.get(name) ?? '')) return [`structure ${path}: ${name} is missing or wrong`];
  return [];
}
