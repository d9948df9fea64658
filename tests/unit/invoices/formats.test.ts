import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeCii } from '@/lib/invoices/formats/cii';
import { writeUbl } from '@/lib/invoices/formats/ubl';
import type { InvoiceModel, InvoiceParty } from '@/lib/invoices/model';
import { propertyRuns } from '@/scripts/testing/tier';
import { createInvoiceModel, invoiceModels, parties } from '@/tests/factories/invoice-models';
import { checkCii, checkUbl } from '@/tests/setup/conformance/check-invoice';
import { validateFacturX } from '@/tests/setup/conformance/factur-x-schema';
import { parseTree, textAt } from '@/tests/setup/conformance/xml-tree';

const find = (name: string): InvoiceModel => {
  const model = invoiceModels[name];
  if (!model) throw new Error(`There is no document ${name}.`);
  return model;
};

/** Lists the rules that a document breaks in both formats. */
const check = (model: InvoiceModel): string[] => [...checkUbl(writeUbl(model)), ...checkCii(writeCii(model))];

describe('an invoice as UBL and as Cross Industry Invoice', () => {
  it.each(Object.keys(invoiceModels))('follows the rules of EN 16931 and of its specification: %s', (name) => {
    expect(check(find(name))).toEqual([]);
  });

  it('follows the official schemas of Factur-X in every document, and breaks them without a required element', async () => {
    const documents = Object.keys(invoiceModels).map((name) => writeCii(find(name)));
    const broken = documents.slice(0, 1).map((xml) => xml.replace(/<ram:TypeCode>380<\/ram:TypeCode>/, ''));
    const [valid, invalid] = await Promise.all([documents, broken].map(validateFacturX));
    expect(valid).toEqual([]);
    expect(invalid).not.toEqual([]);
  });

  it.each([
    ['PL to PL', 'peppol.eu:2017:poacc:billing:3.0'],
    ['PL to PL, credit note in part', 'peppol.eu:2017:poacc:billing:3.0'],
    ['BE to BE', 'peppol.eu:2017:poacc:billing:3.0'],
    ['self-billing in PL', 'peppol.eu:2017:poacc:selfbilling:3.0'],
    ['DE to DE with a Leitweg-ID', 'xeinkauf.de:kosit:xrechnung_3.0'],
    // A German seller's rules in Peppol ask for a reference of the buyer.
    ['DE to DE without a reference', 'urn:cen.eu:en16931:2017'],
    // A Greek seller's ask for a number of its tax office, and persons have no address in Peppol.
    ['GR to BG, reverse charge', 'urn:cen.eu:en16931:2017'],
    ['PL to DE, OSS', 'urn:cen.eu:en16931:2017'],
    ['DE to US', 'urn:cen.eu:en16931:2017'],
  ])('names the narrowest specification whose fields it has: %s', (name, specification) => {
    const text = textAt(parseTree(writeUbl(find(name))), 'cbc:CustomizationID');
    expect(text.endsWith(specification)).toBe(true);
  });

  it('shows no VAT id outside the scope of VAT, and derives addresses from VAT ids elsewhere', () => {
    const outside = find('DE to US');
    for (const xml of [writeUbl(outside), writeCii(outside)]) expect(xml).not.toContain(outside.seller.vatId);
    const greek = writeUbl(find('GR to BG, reverse charge'));
    expect(greek).toContain('<cbc:EndpointID schemeID="9933">094259216</cbc:EndpointID>');
    expect(greek).toContain('<cbc:CompanyID>EL094259216</cbc:CompanyID>');
    expect(greek).toContain('<cbc:IdentificationCode>GR</cbc:IdentificationCode>');
    expect(writeUbl(find('BE to BE'))).toContain('<cbc:EndpointID schemeID="0208">0403170701</cbc:EndpointID>');
    expect(writeUbl(find('tax off'))).toContain(
      '<cbc:EndpointID schemeID="EM">documents@fr.example.com</cbc:EndpointID>',
    );
  });

  it('states the price of three that does not divide for the whole quantity', () => {
    const xml = writeUbl(find('a package of three at a price that does not divide'));
    expect(xml).toMatch(/<cbc:PriceAmount currencyID="USD">100\.00<.*\s*<cbc:BaseQuantity unitCode="C62">3</);
    expect(xml).toMatch(/<cbc:PriceAmount currencyID="USD">30\.00<.*\s*<\/cac:Price>/);
  });

  it('is valid with any names, amounts and details, and gives the texts back', () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom(...'<>&"\']ж字ش\t\u0000\u001b\ud800'),
        fc.string({ unit: 'binary', maxLength: 1 }),
      ),
    });
    const details = fc.record({ name: text, street: text, city: text, postcode: text, region: text, taxNumber: text });
    const line = fc.record({
      netCents: fc.integer({ min: 1, max: 10_000_000 }),
      quantity: fc.integer({ min: 1, max: 50 }),
      title: text,
    });
    const country = fc.constantFrom(parties.be, parties.de, parties.fr, parties.gr, parties.pl);
    const rate = fc.constantFrom(500, 1900, 2300, 2550);
    fc.assert(
      fc.property(
        country,
        country,
        details,
        fc.array(line, { minLength: 1, maxLength: 4 }),
        rate,
        text,
        (one, other, given, lines, percent, note) => {
          const party = (base: InvoiceParty): InvoiceParty => ({ ...base, ...given, name: `Name ${given.name}` });
          const model = createInvoiceModel(
            {
              seller: party(one),
              buyer: party(other),
              lines: lines.map((each) => ({ ...each, title: `Title ${each.title}`, details: [note, note] })),
              tax: { category: 'S', rate: percent },
            },
            { notes: [note, note] },
          );
          const [ubl, cii] = [writeUbl(model), writeCii(model)];
          expect([checkUbl(ubl), checkCii(cii)]).toEqual([[], []]);
          const name = textAt(
            parseTree(ubl),
            'cac:AccountingSupplierParty/cac:Party/cac:PartyLegalEntity/cbc:RegistrationName',
          );
          const agreement = 'rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement';
          expect(textAt(parseTree(cii), `${agreement}/ram:SellerTradeParty/ram:Name`)).toBe(name);
          expect(name.startsWith('Name')).toBe(true);
        },
      ),
      { numRuns: propertyRuns(25) },
    );
  });
});

describe('the check of invoices', () => {
  const broken: [rule: string, document: string, from: string | RegExp, to: string][] = [
    ['BR-CO-10', 'PL to PL', /(<cbc:LineExtensionAmount currencyID="USD">)123\.45/, '$1123.46'],
    ['BR-CO-14', 'PL to PL', /(<cbc:TaxAmount currencyID="USD">)28\.39/, '$128.40'],
    ['BR-CO-15', 'PL to PL', /(<cbc:TaxInclusiveAmount currencyID="USD">)151\.84/, '$1151.85'],
    ['BR-CO-16', 'PL to PL', /(<cbc:PayableAmount currencyID="USD">)0\.00/, '$10.01'],
    ['BR-CO-17', 'PL to PL', /<cbc:Percent>23\.00/, '<cbc:Percent>22.00'],
    ['BR-S-08', 'PL to PL', /(<cbc:TaxableAmount currencyID="USD">)123\.45/, '$1125.46'],
    ['BR-53', 'PL to PL', '>PLN<', '>EUR<'],
    ['BR-DEC-18', 'PL to PL', /(<cbc:PayableAmount currencyID="USD">)0\.00/, '$10.000'],
    ['BR-S-02', 'PL to PL', /<cac:PartyTaxScheme>[\s\S]*?<\/cac:PartyTaxScheme>/, ''],
    [
      'BR-AE-02',
      'DE to PL, reverse charge',
      /(<cac:AccountingCustomerParty>[\s\S]*?)<cac:PartyTaxScheme>[\s\S]*<\/cac:PartyTaxScheme>([\s\S]*?)<cbc:CompanyID>HRB 12345<\/cbc:CompanyID>/,
      '$1$2',
    ],
    ['BR-AE-10', 'DE to PL, reverse charge', /<cbc:TaxExemptionReason.*\n.*<cbc:TaxExemptionReason>.*\n/, ''],
    ['BR-O-02', 'DE to US', /<cbc:ID>FC</, '<cbc:ID>VAT<'],
    [
      'BR-O-05',
      'DE to US',
      /<cbc:ID>O<\/cbc:ID>(\s*<cac:TaxScheme>[\s\S]*?<\/cac:TaxScheme>\s*<\/cac:Cl)/,
      '<cbc:ID>O</cbc:ID><cbc:Percent>0</cbc:Percent>$1',
    ],
    ['BR-CO-25', 'self-billing FR to DE, reverse charge, unpaid', /<cac:PaymentTerms>[\s\S]*<\/cac:PaymentTerms>/, ''],
    ['BR-CO-26', 'DE to US', /<cbc:CompanyID>HRB 12345<\/cbc:CompanyID>/, ''],
    ['BR-CL-22', 'DE to US', 'VATEX-EU-O', 'VATEX-EU-X'],
    ['BR-CL-25', 'DE to US', 'schemeID="EM"', 'schemeID="XX"'],
    ['BR-DE-6', 'DE to DE with a Leitweg-ID', /<cbc:Telephone>.*<\/cbc:Telephone>/, ''],
    ['BR-DE-15', 'DE to DE with a Leitweg-ID', /<cbc:BuyerReference>.*<\/cbc:BuyerReference>/, ''],
    ['PEPPOL-EN16931-R003', 'PL to PL', /<cac:OrderReference>[\s\S]*<\/cac:OrderReference>/, ''],
    ['PEPPOL-EN16931-R008', 'PL to PL', /<cbc:CityName>.*?</, '<cbc:CityName><'],
    ['PEPPOL-EN16931-R054', 'PL to PL', /<cbc:TaxCurrencyCode>.*/, ''],
    ['PEPPOL-EN16931-R120', 'PL to PL', /(<cbc:PriceAmount currencyID="USD">)/, '$19'],
    ['PEPPOL-EN16931-CL008', 'PL to PL', 'schemeID="9945"', 'schemeID="EM"'],
    ['PEPPOL-EN16931-P0100', 'PL to PL', '>380<', '>389<'],
    ['PEPPOL-COMMON-R043', 'BE to BE', '>0403170701<', '>0403170702<'],
    ['GR-R-001-1', 'BG to GR, reverse charge', /(<cbc:IdentificationCode>)BG/, '$1GR'],
  ];
  it.each(broken)('names rule %s', (rule, document, from, to) => {
    const xml = writeUbl(find(document));
    const changed = xml.replace(from, to);
    expect(changed).not.toBe(xml);
    expect(checkUbl(changed)).toContain(rule);
  });

  it('sees elements in another order, too many of them, and texts that are no amounts or dates', () => {
    const xml = writeUbl(find('PL to PL'));
    const swapped = xml.replace(/(<cbc:ID>.*\n\s*)(<cbc:IssueDate>.*\n\s*)/, '$2$1');
    const doubled = xml.replace(/<cbc:IssueDate>.*/, '$&$&');
    const undated = xml.replace(/<cbc:IssueDate>.*</, '<cbc:IssueDate>28.11.2026<');
    for (const changed of [swapped, doubled, undated]) {
      expect(changed).not.toBe(xml);
      expect(checkUbl(changed).join()).toContain('structure');
    }
    expect(() => checkUbl(xml.replace('</Invoice>', ''))).toThrow();
  });
});
