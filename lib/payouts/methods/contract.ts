import { z } from 'zod';
import { payoutMethodKinds } from '@/db/schema/payouts';
import { passkeyAssertion } from '@/lib/auth/contract';
import { ownProofFields } from '@/lib/auth/second-factor';
import { trimProse } from '@/lib/network/visible-text';
import {
  accountNumberField,
  bankLineField,
  bicField,
  economicArea,
  ibanField,
  routingNumberField,
  withoutSeparators,
} from '@/lib/platform/http/bank-fields';
import { countryCodes } from '@/lib/taxonomy/country-codes';

/**
 * The holder of a bank account and the holder's address. Banks require the town and the country as fields of their own
 * and take up to two more lines.
 */
const holderFields = {
  kind: z.literal('bank'),
  holder: bankLineField(70, 'Enter the name of the account holder.'),
  addressLines: z
    .array(bankLineField(70, 'Enter the street and number.'), { error: 'Enter the street and number.' })
    .min(1, 'Enter the street and number.')
    .max(2, 'Use at most two address lines.'),
  postalCode: bankLineField(16, 'Enter a postal code, or leave it out.').optional(),
  town: bankLineField(35, 'Enter the town.'),
  country: z
    .string({ error: 'Choose a country.' })
    .transform(withoutSeparators)
    .refine((code) => countryCodes.has(code), 'Choose a country.'),
};

const ibanAccount = z
  .object({ ...holderFields, format: z.literal('iban'), iban: ibanField, bic: bicField.optional() })
  .superRefine((details, context) => {
    if (details.bic !== undefined || economicArea.has(details.iban.slice(0, 2))) return;
    context.addIssue({
      code: 'custom',
      path: ['bic'],
      message: 'Enter the BIC. Banks require it for accounts outside the European Economic Area.',
    });
  });

const usAccount = z.object({
  ...holderFields,
  format: z.literal('account'),
  accountNumber: accountNumberField,
  routingNumber: routingNumberField,
  accountType: z.enum(['checking', 'savings'], 'Choose checking or savings.'),
});

/** A bank account by IBAN, or by account number and US routing number; both the seller's and the payer's. */
export const bankDetails = z.discriminatedUnion('format', [ibanAccount, usAccount], {
  error: 'Choose an IBAN, or an account number with a routing number.',
});

const payPalDetails = z.object({
  kind: z.literal('paypal'),
  email: z
    .string({ error: 'Enter the email address of the PayPal account.' })
    .transform((text) => text.trim().toLowerCase())
    .pipe(z.email('Enter the email address of the PayPal account.').max(127, 'Use at most 127 characters.')),
});

const agreementDetails = z.object({
  kind: z.literal('agreement'),
  text: z
    .string({ error: 'Describe how you are paid.' })
    .transform((text) => trimProse(text.replace(/\r\n?/g, '\n')))
    .pipe(z.string().min(1, 'Describe how you are paid.').max(500, 'Use at most 500 characters.')),
});

/** The details of a payout method, normalized: bank codes without spaces and in upper case. */
export const methodDetails = z.discriminatedUnion('kind', [bankDetails, payPalDetails, agreementDetails], {
  error: 'Choose a payout method.',
});

export type BankDetails = z.output<typeof bankDetails>;
export type MethodDetails = z.output<typeof methodDetails>;

/**
 * Returns the four characters by which the seller recognizes the method: the end of the account number or of the name
 * before the @. Empty for an agreement and for values so short that four characters would be more than half of them.
 */
export function lastFourOf(details: MethodDetails): string {
  const value = recognizableValue(details);
  return value.length < 8 ? '' : value.slice(-4);
}

function recognizableValue(details: MethodDetails): string {
  if (details.kind === 'agreement') return '';
  if (details.kind === 'paypal') return details.email.slice(0, details.email.lastIndexOf('@'));
  return details.format === 'iban' ? details.iban : details.accountNumber;
}

const kindLabels: Record<MethodDetails['kind'], string> = {
  bank: 'Bank account',
  paypal: 'PayPal',
  agreement: 'By agreement',
};

/** Returns the name of a kind of payout method on screens. */
export function describeMethodKind(kind: MethodDetails['kind']): string {
  return kindLabels[kind];
}

/** The body of PUT /api/seller/payout-method. */
export const savePayoutMethodBody = z.object({ method: methodDetails, ...ownProofFields });

/** The input of the portal's form, in which a passkey can replace the password and the code. */
export const savePayoutMethodInput = z
  .object({
    method: methodDetails,
    password: z.string().max(256).default(''),
    code: ownProofFields.code,
    passkey: passkeyAssertion.optional(),
  })
  .refine(({ password, passkey }) => passkey || password, { path: ['password'], error: 'Enter your password.' });

/** A payout method as its seller sees it; all values are null without one. */
export const payoutMethodResponse = z
  .object({
    kind: z.enum(payoutMethodKinds).nullable(),
    lastFour: z
      .string()
      .nullable()
      .describe('The last four characters of the account; empty for an agreement and for short addresses.'),
    usableAt: z.iso.datetime().nullable().describe('Before this time no payout to it is approved.'),
    createdAt: z.iso.datetime().nullable(),
  })
  .meta({ title: 'PayoutMethod' });

const text = z.string().nullable();

/** The details of a payout method for staff; fields of other kinds are null or empty. */
export const payoutMethodDetailsResponse = z
  .object({
    kind: z.enum(payoutMethodKinds),
    holder: text.describe('The holder of the bank account.'),
    addressLines: z.array(z.string()),
    postalCode: text,
    town: text,
    country: text.describe('ISO 3166-1 alpha-2 code.'),
    iban: text,
    bic: text,
    accountNumber: text,
    routingNumber: text,
    accountType: z.enum(['checking', 'savings']).nullable(),
    email: text.describe('The address of the PayPal account.'),
    text: text.describe('The agreement.'),
  })
  .meta({ title: 'PayoutMethodDetails' });
