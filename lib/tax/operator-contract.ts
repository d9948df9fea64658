import { z } from 'zod';
import { emailField } from '@/lib/auth/contract';
import {
  accountNumberField,
  bankLineField,
  bicField,
  economicArea,
  ibanField,
  routingNumberField,
} from '@/lib/platform/http/bank-fields';
import { lineField, versionField } from '@/lib/platform/http/fields';
import { countryCodes } from '@/lib/taxonomy/country-codes';
import { euPersonRules, type Operator } from './contract';
import { vatTerritory } from './countries';
import { parseVatId } from './vat-id';

const country = z
  .string('Choose a country.')
  .trim()
  .toUpperCase()
  .refine((code) => countryCodes.has(code), 'Choose a country.')
  .describe('ISO 3166-1 alpha-2 code.');

const countryOrNone = z.union([z.literal(''), country]);

const vatId = z
  .object({ country, number: z.string('Enter the VAT id.').max(40, 'Use at most 40 characters.') })
  .transform(({ country: of, number }, context) => {
    const parsed = parseVatId(number, of);
    if ('vatId' in parsed && parsed.vatId !== '') return { country: of, number: parsed.vatId };
    const message = 'problem' in parsed ? parsed.problem : 'Enter the VAT id.';
    context.addIssue({ code: 'custom', path: ['number'], message });
    return z.NEVER;
  });

const rateMessage = 'Enter a rate from 0 to 100 percent.';

const rate = z.object({
  country,
  from: z.iso.date('Enter the first day.').describe('The first day of the rate.'),
  rate: z.int(rateMessage).min(0, rateMessage).max(10_000, rateMessage).describe('In hundredths of a percent.'),
});

/** An account in euros has an IBAN. One in dollars has a routing number and an account number, or an IBAN with a BIC. */
const bankAccount = z
  .object({
    currency: z.enum(['EUR', 'USD'], 'Choose a currency.'),
    holder: bankLineField(70, 'Enter the name of the account holder.'),
    iban: z.union([z.literal(''), ibanField]).default(''),
    bic: z.union([z.literal(''), bicField]).default(''),
    accountNumber: z.union([z.literal(''), accountNumberField]).default(''),
    routingNumber: z.union([z.literal(''), routingNumberField]).default(''),
    bankName: lineField(70).default(''),
  })
  .superRefine(({ currency, iban, bic, accountNumber, routingNumber }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    const isAmerican = currency === 'USD' && iban === '';
    if (currency === 'EUR' && iban === '') refuse('iban', 'Enter the IBAN.');
    if (isAmerican && routingNumber === '') refuse('routingNumber', 'Enter the routing number, or an IBAN.');
    if (isAmerican && accountNumber === '') refuse('accountNumber', 'Enter the account number, or an IBAN.');
    if (!isAmerican && accountNumber + routingNumber !== '')
      refuse(accountNumber === '' ? 'routingNumber' : 'accountNumber', 'Enter an IBAN or an account number, not both.');
    if (iban !== '' && bic === '' && (currency === 'USD' || !economicArea.has(iban.slice(0, 2))))
      refuse('bic', 'Enter the BIC. Banks require it for dollars and outside the European Economic Area.');
  });

/** Builds a list in which no two entries have the same key. */
const distinct = <Entry extends z.ZodType>(
  entry: Entry,
  max: number,
  keyOf: (value: z.output<Entry>) => string,
  message: string,
) =>
  z
    .array(entry)
    .max(max, `Enter at most ${max}.`)
    .superRefine((values, context) => {
      const keys = values.map(keyOf);
      const again = keys.findIndex((key, index) => keys.indexOf(key) < index);
      if (again !== -1) context.addIssue({ code: 'custom', path: [again], message });
    });

const operatorFields = z.object({
  name: lineField(200).describe('The legal name.'),
  street: lineField(200),
  postcode: lineField(20),
  city: lineField(100),
  region: lineField(100),
  country: countryOrNone,
  vatIds: distinct(
    vatId,
    40,
    ({ country: of }) => vatTerritory(of),
    'A VAT id of this country is in the list already.',
  ).describe('At most one for each country, with or without its prefix.'),
  taxNumber: lineField(40).describe('The national tax number.'),
  registration: lineField(100).describe('The number in the register of companies.'),
  contact: z.object({
    name: lineField(100),
    phone: lineField(40),
    email: z.union([z.literal(''), emailField], 'Email format looks invalid.'),
  }),
  isSmallBusiness: z.boolean().describe('Whether the operator is exempt from tax as a small business.'),
  smallBusinessText: lineField(300).describe('The words that its documents must have.'),
  untaxedText: lineField(300).describe('The words on documents while tax is off.'),
  served: z
    .object({
      domestic: z.boolean(),
      euBusinesses: z.boolean().describe('Businesses with a valid VAT id in other member states.'),
      euPersons: z
        .enum(euPersonRules, `Use one of ${euPersonRules.join(', ')}.`)
        .describe('All others there: refused, or taxed at the rate of the operator, or of the buyer’s country (OSS).'),
      outsideEu: z.boolean(),
    })
    .describe('Which buyers can order while tax is on.'),
  trustsSilentVies: z.boolean().describe('Whether a VAT id counts as valid while VIES does not answer.'),
  rates: distinct(
    rate,
    200,
    ({ country: of, from }) => `${vatTerritory(of)} ${from}`,
    'A rate of this country from this day is in the list already.',
  ).describe('Rates that replace the built-in ones from their first day on.'),
  bankAccounts: distinct(
    bankAccount,
    2,
    ({ currency }) => currency,
    'There is an account in this currency already.',
  ).describe('Where buyers can transfer money to; at most one for each currency.'),
}) satisfies z.ZodType<Operator, unknown>;

const version = versionField
  .optional()
  .describe('The version on which the edit is based; 0 before the first one. A stale edit is refused.');

/** PUT /api/admin/operator. What is left out stays as it is, so that a misspelled field is refused. */
export const saveOperatorBody = operatorFields.partial().extend({ version }).strict();
export type SaveOperator = z.output<typeof saveOperatorBody>;

/** PUT /api/admin/tax */
export const saveTaxBody = z.strictObject({
  enabled: z.boolean(),
  country: country
    .optional()
    .describe('Whose rules apply: a country in which the operator is registered. Left out, it stays as it is.'),
  version,
});
export type SaveTax = z.output<typeof saveTaxBody>;

const text = z.string();

/** The switch of tax as its screen shows it. */
const taxResponse = z
  .object({
    enabled: z.boolean(),
    country: text.describe('Whose rules apply, as an ISO 3166-1 alpha-2 code; empty before it is set.'),
    version: z.int().describe('The version for a change of the switch.'),
    missing: z
      .record(z.string(), text)
      .describe('What must be completed before tax can be turned on, by field of the operator.'),
  })
  .meta({ title: 'Tax' });

export const operatorResponse = z
  .object({
    ...{ name: text, street: text, postcode: text, city: text, region: text },
    country: text.describe('ISO 3166-1 alpha-2 code; empty before it is set.'),
    vatIds: z.array(z.object({ country: text, number: text.describe('With its prefix.') })),
    ...{ taxNumber: text, registration: text },
    contact: z.object({ name: text, phone: text, email: text }),
    isSmallBusiness: z.boolean(),
    ...{ smallBusinessText: text, untaxedText: text },
    served: z.object({
      domestic: z.boolean(),
      euBusinesses: z.boolean(),
      euPersons: z.enum(euPersonRules),
      outsideEu: z.boolean(),
    }),
    trustsSilentVies: z.boolean(),
    rates: z.array(z.object({ country: text, from: z.iso.date(), rate: z.int() })),
    bankAccounts: z.array(
      z.object({
        currency: z.enum(['EUR', 'USD']),
        ...{ holder: text, iban: text, bic: text, accountNumber: text, routingNumber: text, bankName: text },
      }),
    ),
    version: z.int().describe('The version for an edit; 0 before the first one.'),
    tax: taxResponse,
    ratesInForce: z
      .array(
        z.object({
          country: text,
          from: z.iso.date(),
          rate: z.int().describe('In hundredths of a percent.'),
          isOwn: z.boolean().describe('Whether the operator entered it.'),
        }),
      )
      .describe('The rates of today.'),
  })
  .meta({ title: 'Operator' });
export type OperatorView = z.output<typeof operatorResponse>;
