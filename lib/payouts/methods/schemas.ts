import { z } from 'zod';
import { payoutMethodKinds } from '@/db/schema/payouts';
import { passkeyAssertion } from '@/lib/auth/contract';
import { ownProofFields } from '@/lib/auth/second-factor';
import { methodDetails } from './details';

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
