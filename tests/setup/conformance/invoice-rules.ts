import { isValid as isCountry } from 'i18n-iso-countries';
import type { PartyTerms, Terms } from './invoice-terms';

/** A rule by its id, and whether a document follows it. */
type Rule = [id: string, follows: (terms: Terms) => boolean];

const isGiven = (...texts: string[]) => texts.every((text) => text !== '');

/** Returns an amount in ten-thousandths, in which prices and rates are exact. */
const scaled = (amount: string): bigint => {
  const [, sign, whole, fraction = ''] = /^([+-]?)(\d*)\.?(\d*)$/.exec(amount) ?? [];
  // The structure says what is no amount.
  if (whole === undefined) return 0n;
  const value = BigInt(whole || '0') * 10_000n + BigInt(fraction.padEnd(4, '0').slice(0, 4));
  return sign === '-' ? -value : value;
};
const sum = (amounts: string[]) => amounts.reduce((total, amount) => total + scaled(amount || '0'), 0n);
const isClose = (one: number, other: number, slack: number) => Math.abs(one - other) < slack;
const isEqual = (one: string, other: bigint) => isGiven(one) && scaled(one) === other;

/** Allowances count against a sum. */
const signed = ({ isCharge, amount }: { isCharge: boolean; amount: string }) => {
  if (isCharge) return amount;
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
};

/** The totals of tax in the currency of the document. */
const ownTaxTotals = ({ taxTotals, currency }: Terms) =>
  taxTotals.filter((one) => one.currency === currency).map(({ amount }) => amount);

const bothParties = ({ seller, buyer }: Terms) => [seller, buyer];

/** UNTDID 1001, the part that EN 16931 allows and that occurs here and in samples. */
const invoiceCodes = new Set(['326', '380', '384', '386', '389', '393', '751', '875', '876', '877']);
const creditCodes = new Set(['81', '261', '381', '396', '532']);
const categories = new Set(['AE', 'E', 'G', 'K', 'L', 'M', 'O', 'S', 'Z', 'B']);
const isoCurrencies = new Set(Intl.supportedValuesOf('currency'));
/** UN/ECE Recommendation 20 and 21: the units of this project and of the official examples. */
const units = new Set('C62 DAY EA H87 HUR KGM IE KTM KW KWH KWT LTR MON MTK MTR NAR SET TNE XPP ZZ'.split(' '));
/** The schemes of electronic addresses in Peppol; EN 16931 also has EM, AN, AQ, AS and AU. */
const peppolSchemes = new Set(
  `0002 0007 0009 0037 0060 0088 0096 0097 0106 0130 0135 0142 0147 0151 0154 0158 0170 0177 0183 0184 0188 0190 0191
  0192 0193 0194 0195 0196 0198 0199 0200 0201 0202 0203 0204 0205 0208 0209 0210 0211 0212 0213 0215 0216 0217 0218
  0221 0225 0230 0235 0240 9910 9913 9914 9915 9918 9919 9920 9922 9923 9924 9925 9926 9927 9928 9929 9930 9931 9932
  9933 9934 9935 9936 9937 9938 9939 9940 9941 9942 9943 9944 9945 9946 9947 9948 9949 9950 9951 9952 9953 9957
  9959`.split(/\s+/),
);
const otherSchemes = new Set(['AN', 'AQ', 'AS', 'AU', 'EM']);
const exemptionCode =
  /^VATEX-(EU-(AE|D|F|G|I|IC|J|O|79-C|132(-1[A-Q])?|143(-1[A-L]|-1FA)?|144|146-1E|148(-[A-G])?|151(-1[A-E]|-1AA)?|153|159|309)|FR-[A-Z0-9-]+)$/i;
const paymentCode = /^([1-9]|[1-6]\d|70|7[4-8]|9[1-8]|ZZZ)$/;

/** The rules of EN 16931 (CEN/TC 434), except those about what neither syntax writer nor sample has. */
const core: Rule[] = [
  ['BR-01', ({ specification }) => isGiven(specification)],
  ['BR-02', ({ number }) => isGiven(number)],
  ['BR-03', ({ issuedOn }) => isGiven(issuedOn)],
  ['BR-04', ({ code }) => isGiven(code)],
  ['BR-05', ({ currency }) => isGiven(currency)],
  ['BR-06', ({ seller }) => isGiven(seller.name)],
  ['BR-07', ({ buyer }) => isGiven(buyer.name)],
  ['BR-08', ({ seller }) => seller.hasPostalAddress],
  ['BR-09', ({ seller }) => isGiven(seller.country)],
  ['BR-10', ({ buyer }) => buyer.hasPostalAddress],
  ['BR-11', ({ buyer }) => isGiven(buyer.country)],
  ['BR-12', ({ totals }) => isGiven(totals.lines)],
  ['BR-13', ({ totals }) => isGiven(totals.net)],
  ['BR-14', ({ totals }) => isGiven(totals.gross)],
  ['BR-15', ({ totals }) => isGiven(totals.due)],
  ['BR-16', ({ lines }) => lines.length > 0],
  ['BR-21', ({ lines }) => lines.every(({ id }) => isGiven(id))],
  ['BR-22', ({ lines }) => lines.every(({ quantity }) => isGiven(quantity))],
  ['BR-23', ({ lines }) => lines.every(({ unit }) => isGiven(unit))],
  ['BR-24', ({ lines }) => lines.every(({ net }) => isGiven(net))],
  ['BR-25', ({ lines }) => lines.every(({ name }) => isGiven(name))],
  ['BR-26', ({ lines }) => lines.every(({ price }) => isGiven(price))],
  ['BR-27', ({ lines }) => lines.every(({ price }) => !price.startsWith('-'))],
  ['BR-33', ({ adjustments }) => adjustments.every(({ isCharge, reason }) => isCharge || isGiven(reason))],
  ['BR-38', ({ adjustments }) => adjustments.every(({ isCharge, reason }) => !isCharge || isGiven(reason))],
  ['BR-45', ({ taxes }) => taxes.every(({ net }) => isGiven(net))],
  ['BR-46', ({ taxes }) => taxes.every(({ tax }) => isGiven(tax))],
  ['BR-47', ({ taxes }) => taxes.every(({ category }) => isGiven(category))],
  ['BR-48', ({ taxes }) => taxes.every(({ rate, category }) => category === 'O' || isGiven(rate))],
  ['BR-49', ({ paymentMeans }) => paymentMeans.every(({ code }) => isGiven(code))],
  [
    'BR-53',
    ({ taxCurrency, taxTotals, currency, isUbl }) =>
      !taxCurrency || (taxTotals.some((one) => one.currency === taxCurrency) && (isUbl || taxCurrency !== currency)),
  ],
  ['BR-55', ({ preceding }) => preceding.every((number) => isGiven(number))],
  [
    'BR-61',
    ({ paymentMeans }) => paymentMeans.every(({ code, account }) => !/^(30|58)$/.test(code) || isGiven(account)),
  ],
  ['BR-62', ({ seller }) => !seller.isAddressed || isGiven(seller.address.scheme)],
  ['BR-63', ({ buyer }) => !buyer.isAddressed || isGiven(buyer.address.scheme)],
  ['BR-CO-04', ({ lines }) => lines.every(({ category }) => isGiven(category))],
  [
    'BR-CO-09',
    (terms) =>
      bothParties(terms).every(({ vatIds }) => vatIds.every((id) => /^(EL|XI)/.test(id) || isCountry(id.slice(0, 2)))),
  ],
  ['BR-CO-10', ({ totals, lines }) => isEqual(totals.lines, sum(lines.map(({ net }) => net)))],
  ['BR-CO-11', ({ totals, adjustments }) => isSumOf(totals.allowances, adjustments, false)],
  ['BR-CO-12', ({ totals, adjustments }) => isSumOf(totals.charges, adjustments, true)],
  ['BR-CO-13', ({ totals }) => isEqual(totals.net, sum([totals.lines, totals.charges]) - sum([totals.allowances]))],
  [
    'BR-CO-14',
    (terms) => {
      const own = ownTaxTotals(terms);
      const tax = sum(terms.taxes.map((one) => one.tax));
      return terms.taxes.length === 0 || !terms.isUbl
        ? own.every((one) => isEqual(one, tax))
        : own.some((one) => isEqual(one, tax));
    },
  ],
  [
    'BR-CO-15',
    (terms) => {
      const own = ownTaxTotals(terms);
      // Without tax, a Cross Industry Invoice needs no total of it.
      const isTotal = own.length === 1 || (own.length === 0 && !terms.isUbl);
      return isTotal && isEqual(terms.totals.gross, sum([terms.totals.net, ...own]));
    },
  ],
  ['BR-CO-16', ({ totals }) => isEqual(totals.due, sum([totals.gross, totals.rounding]) - sum([totals.paid]))],
  // As in the official rules, the tax of a breakdown may be rounded otherwise by less than one unit of the currency.
  [
    'BR-CO-17',
    ({ taxes }) => taxes.every(({ net, rate, tax }) => isClose(Number(tax), (Number(net) * Number(rate)) / 100, 1)),
  ],
  ['BR-CO-18', ({ taxes }) => taxes.length > 0],
  [
    'BR-CO-25',
    ({ totals, dueOn, paymentTerms, isCreditNote }) =>
      isCreditNote || !isGiven(totals.due) || scaled(totals.due) <= 0n || isGiven(dueOn) || isGiven(paymentTerms),
  ],
  ['BR-CO-26', ({ seller }) => seller.vatIds.length + seller.ids.length > 0 || isGiven(seller.registration)],
  ['BR-CL-01', ({ code, isCreditNote }) => (isCreditNote ? creditCodes : invoiceCodes).has(code)],
  ['BR-CL-03', ({ currencies }) => currencies.every((code) => isoCurrencies.has(code))],
  ['BR-CL-04', ({ currency }) => isoCurrencies.has(currency)],
  ['BR-CL-05', ({ taxCurrency }) => !taxCurrency || isoCurrencies.has(taxCurrency)],
  ['BR-CL-14', ({ countries }) => countries.every((code) => isCountry(code))],
  ['BR-CL-16', ({ paymentMeans }) => paymentMeans.every(({ code }) => !code || paymentCode.test(code))],
  ['BR-CL-17', ({ taxes }) => taxes.every(({ category }) => categories.has(category))],
  ['BR-CL-18', ({ lines }) => lines.every(({ category }) => !category || categories.has(category))],
  ['BR-CL-22', ({ taxes }) => taxes.every(({ reason }) => !reason || exemptionCode.test(reason))],
  ['BR-CL-23', ({ lines }) => lines.every(({ unit }) => !unit || units.has(unit))],
  [
    'BR-CL-25',
    (terms) =>
      bothParties(terms).every(
        ({ address }) => !address.scheme || peppolSchemes.has(address.scheme) || otherSchemes.has(address.scheme),
      ),
  ],
  ...['09', '10', '11', '12', '13', '14', '16', '18', '19', '20', '23'].map(
    (term): Rule => [
      `BR-DEC-${term}`,
      ({ amounts }) => amounts.every(([of, amount]) => of !== term || /^[^.]*(\.\d{0,2})?$/.test(amount)),
    ],
  ),
  ...(['S', 'Z', 'E', 'AE', 'O'] as const).flatMap(rulesOfCategory),
  ['UBL-SR-12', ({ seller }) => seller.vatIds.length <= 1],
  ['UBL-SR-13', ({ seller, isUbl }) => !isUbl || seller.taxNumbers.length <= 1],
  ['UBL-SR-18', ({ buyer }) => buyer.vatIds.length <= 1],
  ['BR-O-11', ({ taxes }) => !taxes.some(isOutside) || taxes.every(isOutside)],
  ['BR-O-12', ({ taxes, lines }) => !taxes.some(isOutside) || lines.every(isOutside)],
];

const isOutside = ({ category }: { category: string }) => category === 'O';

const isSumOf = (total: string, adjustments: Terms['adjustments'], isCharge: boolean) => {
  const own = adjustments.filter((one) => one.isCharge === isCharge).map(({ amount }) => amount);
  return own.length === 0 ? total === '' || scaled(total) === 0n : isEqual(total, sum(own));
};

/** The rules 1, 2, 5, 8, 9 and 10 of a category of tax. */
function rulesOfCategory(category: 'S' | 'Z' | 'E' | 'AE' | 'O'): Rule[] {
  const isOwn = (one: { category: string }) => one.category === category;
  const isTaxed = category === 'S';
  const hasRate = (rate: string) => (isTaxed ? Number(rate) > 0 : isGiven(rate) && Number(rate) === 0);
  const isRegistered = ({ vatIds, taxNumbers }: PartyTerms) => vatIds.length + taxNumbers.length > 0;
  const baseOf = ({ lines, adjustments }: Terms, rate: string) => {
    const isAtRate = (one: { category: string; rate: string }) =>
      isOwn(one) && (!isTaxed || Number(one.rate) === Number(rate));
    return sum([...lines.filter(isAtRate).map(({ net }) => net), ...adjustments.filter(isAtRate).map(signed)]);
  };
  return [
    [
      `BR-${category}-01`,
      (terms) => {
        const isUsed = terms.lines.some(isOwn) || terms.adjustments.some(isOwn);
        const count = terms.taxes.filter(isOwn).length;
        return isUsed ? count === 1 || (isTaxed && count > 1) : count === 0;
      },
    ],
    [
      `BR-${category}-02`,
      ({ lines, seller, buyer, hasTaxRepresentative }) => {
        if (!lines.some(isOwn)) return true;
        if (category === 'O') return [seller, buyer].every(({ vatIds }) => vatIds.length === 0);
        const isBuyerKnown = category !== 'AE' || buyer.vatIds.length > 0 || isGiven(buyer.registration);
        return (isRegistered(seller) || hasTaxRepresentative) && isBuyerKnown;
      },
    ],
    [
      `BR-${category}-05`,
      ({ lines }) => lines.filter(isOwn).every(({ rate }) => (category === 'O' ? rate === '' : hasRate(rate))),
    ],
    [
      `BR-${category}-08`,
      (terms) => terms.taxes.filter(isOwn).every(({ net, rate }) => isEqual(net, baseOf(terms, rate))),
    ],
    [
      `BR-${category}-09`,
      ({ taxes }) =>
        taxes
          .filter(isOwn)
          .every(({ net, rate, tax }) =>
            isTaxed ? isClose(Number(tax), (Number(net) * Number(rate)) / 100, 1) : isEqual(tax, 0n),
          ),
    ],
    [
      `BR-${category}-10`,
      ({ taxes }) =>
        taxes
          .filter(isOwn)
          .every(({ exemption, reason }) => isGiven(exemption || reason) !== (isTaxed || category === 'Z')),
    ],
  ];
}

const isVatIdOf = (country: string) => (party: PartyTerms) => party.country === country;
const isDomesticIn = (country: string) => (terms: Terms) => bothParties(terms).every(isVatIdOf(country));
const isGerman = isDomesticIn('DE');
const digits = (id: string) => [...id].map(Number);

/** The check digits of the numbers of companies that are addresses in Peppol. */
const addressForms: Readonly<Record<string, [rule: string, isValid: (id: string) => boolean]>> = {
  '0007': [
    'PEPPOL-COMMON-R049',
    (id) =>
      /^\d{10}$/.test(id) &&
      digits(id).reduce((total, digit, at) => total + (at % 2 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit), 0) %
        10 ===
        0,
  ],
  '0184': ['PEPPOL-COMMON-R042', (id) => /^(DK)?\d{8}$/.test(id)],
  '0208': [
    'PEPPOL-COMMON-R043',
    (id) => /^\d{10}$/.test(id) && 97 - (Number(id.slice(0, 8)) % 97) === Number(id.slice(8)),
  ],
};

/** The rules of Peppol BIS Billing 3.0 in UBL, and the national ones in it. */
const peppol: Rule[] = [
  ['PEPPOL-EN16931-R001', ({ process }) => isGiven(process)],
  ['PEPPOL-EN16931-R002', (terms) => terms.notes <= 1 || isGerman(terms)],
  ['PEPPOL-EN16931-R003', ({ buyerReference, orderNumber }) => isGiven(buyerReference || orderNumber)],
  ['PEPPOL-EN16931-R005', ({ taxCurrency, currency }) => taxCurrency !== currency],
  ['PEPPOL-EN16931-R008', ({ hasEmptyElement }) => !hasEmptyElement],
  ['PEPPOL-EN16931-R010', ({ buyer }) => buyer.isAddressed],
  ['PEPPOL-EN16931-R020', ({ seller }) => seller.isAddressed],
  ['PEPPOL-EN16931-R051', ({ currencies, currency }) => currencies.every((one) => one === currency)],
  ['PEPPOL-EN16931-R054', ({ taxTotals, taxCurrency }) => taxTotals.length === (taxCurrency ? 2 : 1)],
  [
    'PEPPOL-EN16931-R055',
    ({ taxTotals }) => new Set(taxTotals.map(({ amount }) => Math.sign(Number(amount))).filter(Boolean)).size <= 1,
  ],
  [
    'PEPPOL-EN16931-R120',
    ({ lines }) =>
      lines.every(({ net, quantity, price, baseQuantity, adjustments }) => {
        const adjusted = adjustments.reduce((total, one) => total + Number(signed(one)), 0);
        return isClose(
          Number(net),
          (Number(quantity) * Number(price)) / Number(baseQuantity || '1') + adjusted,
          0.0201,
        );
      }),
  ],
  ['PEPPOL-EN16931-R121', ({ lines }) => lines.every(({ baseQuantity }) => !baseQuantity || Number(baseQuantity) > 0)],
  ['PEPPOL-EN16931-R130', ({ lines }) => lines.every(({ unit, baseUnit }) => !baseUnit || baseUnit === unit)],
  ['PEPPOL-EN16931-CL008', (terms) => bothParties(terms).every(({ address }) => peppolSchemes.has(address.scheme))],
  ...Object.entries(addressForms).map(
    ([scheme, [id, isValid]]): Rule => [
      id,
      (terms) => bothParties(terms).every(({ address }) => address.scheme !== scheme || isValid(address.id)),
    ],
  ),
  [
    'PEPPOL-EN16931-P0105',
    ({ taxes }) => taxes.every(({ reason, category }) => reason !== 'VATEX-EU-O' || category === 'O'),
  ],
  [
    'PEPPOL-EN16931-P0107',
    ({ taxes }) => taxes.every(({ reason, category }) => reason !== 'VATEX-EU-AE' || category === 'AE'),
  ],
  ['DK-R-002', ({ seller }) => seller.country !== 'DK' || isGiven(seller.registration)],
  ['GR-R-001-1', ({ seller, number }) => seller.country !== 'GR' || number.split('|').length === 6],
  [
    'NL-R-001',
    ({ seller, isCreditNote, preceding }) => seller.country !== 'NL' || !isCreditNote || preceding.length > 0,
  ],
  ['NL-R-002', ({ seller }) => seller.country !== 'NL' || isGiven(seller.street, seller.city, seller.postcode)],
  [
    'NL-R-003',
    ({ seller }) => seller.country !== 'NL' || !seller.registration || /^(0106|0190)$/.test(seller.registrationScheme),
  ],
  [
    'NL-R-004',
    (terms) => !isDomesticIn('NL')(terms) || isGiven(terms.buyer.street, terms.buyer.city, terms.buyer.postcode),
  ],
  [
    'NL-R-008',
    (terms) => !isDomesticIn('NL')(terms) || terms.paymentMeans.every(({ code }) => /^(30|48|49|57|58|59)$/.test(code)),
  ],
  ['IT-R-002', ({ seller }) => seller.country !== 'IT' || isGiven(seller.street)],
  ['IT-R-003', ({ seller }) => seller.country !== 'IT' || isGiven(seller.city)],
  ['IT-R-004', ({ seller }) => seller.country !== 'IT' || isGiven(seller.postcode)],
  ['SE-R-004', ({ seller }) => seller.country !== 'SE' || !seller.registration || seller.registration.length === 10],
  [
    'SE-R-005',
    ({ seller }) =>
      seller.country !== 'SE' || seller.taxNumbers.every((number) => /^godkänd för f-skatt$/i.test(number)),
  ],
  ...germanRules('DE-R').map(([id, follows]): Rule => [id, (terms) => !isGerman(terms) || follows(terms)]),
];

/** What XRechnung asks for, and Peppol between German parties under other ids. */
function germanRules(prefix: 'BR-DE' | 'DE-R'): Rule[] {
  const id = (number: number) => `${prefix}-${prefix === 'DE-R' ? String(number).padStart(3, '0') : number}`;
  return [
    [id(1), ({ paymentMeans }) => paymentMeans.length > 0],
    [id(2), ({ seller }) => seller.hasContact],
    [id(3), ({ seller }) => isGiven(seller.city)],
    [id(4), ({ seller }) => isGiven(seller.postcode)],
    [id(5), ({ seller }) => !seller.hasContact || isGiven(seller.contact.name)],
    [id(6), ({ seller }) => !seller.hasContact || isGiven(seller.contact.phone)],
    [id(7), ({ seller }) => !seller.hasContact || isGiven(seller.contact.email)],
    [id(8), ({ buyer }) => isGiven(buyer.city)],
    [id(9), ({ buyer }) => isGiven(buyer.postcode)],
    [id(14), ({ taxes }) => taxes.every(({ rate }) => isGiven(rate))],
    [id(15), ({ buyerReference }) => isGiven(buyerReference)],
    [
      id(16),
      ({ lines, seller, hasTaxRepresentative }) =>
        lines.every(isOutside) || seller.vatIds.length + seller.taxNumbers.length > 0 || hasTaxRepresentative,
    ],
    [id(17), ({ code }) => /^(326|380|381|384|389|875|876|877)$/.test(code)],
    [id(27), ({ seller }) => !seller.contact.phone || /(\d\D*){3}/.test(seller.contact.phone)],
    [id(28), ({ seller }) => !seller.contact.email || /^[^@\s]+@([^@.\s]+\.)+[^@.\s]+$/.test(seller.contact.email)],
  ];
}

const billing = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0';
const selfBilling = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0';
const isProcess = (name: string) => new RegExp(`^urn:fdc:peppol\\.eu:2017:poacc:${name}:\\d{2}:1\\.0$`);
const ofBilling: Rule[] = [
  ['PEPPOL-EN16931-R004', ({ specification }) => specification.startsWith(billing)],
  ['PEPPOL-EN16931-R007', ({ process }) => isProcess('billing').test(process)],
  ['PEPPOL-EN16931-P0100', ({ code, isCreditNote }) => isCreditNote || (code !== '389' && invoiceCodes.has(code))],
  ['PEPPOL-EN16931-P0101', ({ code, isCreditNote }) => !isCreditNote || (code !== '261' && creditCodes.has(code))],
];
/** Peppol BIS Self-Billing 3.0 has the same rules with ids and codes of its own. */
const ofSelfBilling: Rule[] = [
  ['PEPPOL-EN16931-R004', ({ specification }) => specification === selfBilling],
  ['PEPPOL-EN16931-R007', ({ process }) => isProcess('selfbilling').test(process)],
  ['PEPPOL-EN16931-P0100', ({ code, isCreditNote }) => isCreditNote || code === '389'],
  ['PEPPOL-EN16931-P0101', ({ code, isCreditNote }) => !isCreditNote || code === '261'],
];

const xRechnung: Rule[] = [
  ...germanRules('BR-DE'),
  ['PEPPOL-EN16931-R001', ({ process }) => isGiven(process)],
  ['PEPPOL-EN16931-R008', ({ hasEmptyElement }) => !hasEmptyElement],
  ['PEPPOL-EN16931-R010', ({ buyer }) => buyer.isAddressed],
  ['PEPPOL-EN16931-R020', ({ seller }) => seller.isAddressed],
];

/** Lists the ids of the rules that a document breaks: of EN 16931, and of the specification that it names. */
export function listBroken(terms: Terms): string[] {
  const { specification, isUbl } = terms;
  const isSelfBilling = specification.includes(':selfbilling:');
  const rules = [
    ...core,
    ...(isUbl && specification.includes('peppol.eu')
      ? [...peppol, ...(isSelfBilling ? ofSelfBilling : ofBilling)]
      : []),
    ...(specification.includes('xrechnung') ? xRechnung : []),
  ];
  return rules.filter(([, follows]) => !follows(terms)).map(([id]) => id);
}
