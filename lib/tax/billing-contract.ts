import { z } from 'zod';
import { emailField } from '@/lib/auth/contract';
import { lineField, versionField } from '@/lib/platform/http/fields';
import { countryCodes } from '@/lib/taxonomy/country-codes';
import { getAddressFields } from './address-fields';
import { parseVatId } from './vat-id';

const line = (max: number) => lineField(max).default('');

/**
 * PUT /api/user/billing-profile. Fields that the country's addresses lack are ignored. Only the country is required: the
 * tax depends on it.
 */
export const saveBillingProfileBody = z
  .object({
    company: line(200).describe('The name of the company; empty for a person.'),
    street: line(200),
    postcode: line(20),
    city: line(100),
    region: line(100).describe('The state, province or county, where addresses have one.'),
    country: z
      .string('Choose a country.')
      .trim()
      .toUpperCase()
      .refine((code) => countryCodes.has(code), 'Choose a country.')
      .describe('ISO 3166-1 alpha-2 code.'),
    vatId: line(40).describe('With or without its prefix. It must belong to the country.'),
    reference: line(100).describe('Shown on documents, e.g. a cost center or an order number of yours.'),
    email: z
      .union(
        [
          z
            .string()
            .regex(/^\s*$/)
            .overwrite(() => ''),
          emailField,
        ],
        'Email format looks invalid.',
      )
      .default('')
      .describe('Shown on documents, and their address in Peppol without a VAT id; empty for that of the account.'),
    version: versionField
      .optional()
      .describe('The version on which the edit is based; 0 before the first one. A stale edit is refused.'),
  })
  .transform((body, context) => {
    const parsed = parseVatId(body.vatId, body.country);
    if ('problem' in parsed) {
      context.addIssue({ code: 'custom', path: ['vatId'], message: parsed.problem });
      return z.NEVER;
    }
    const has = getAddressFields(body.country);
    const { postcode, region } = body;
    return { ...body, ...parsed, postcode: has.postcode ? postcode : '', region: has.region ? region : '' };
  });
export type SaveBillingProfile = z.output<typeof saveBillingProfileBody>;

/** What a buyer's documents are addressed to; all texts are empty and `version` is 0 before it is saved. */
export const billingProfileResponse = z
  .object({
    company: z.string(),
    street: z.string(),
    postcode: z.string(),
    city: z.string(),
    region: z.string(),
    country: z.string().describe('ISO 3166-1 alpha-2 code.'),
    vatId: z.string().describe('With the prefix of its country.'),
    reference: z.string(),
    email: z.string().describe('Empty for the address of the account.'),
    vatCheck: z
      .object({
        state: z
          .enum(['valid', 'invalid', 'unavailable'])
          .describe('unavailable: VIES did not answer. It is asked again.'),
        checkedAt: z.iso.datetime(),
        consultation: z.string().nullable().describe('The consultation number of VIES, proof of the check.'),
        requester: z.string().nullable().describe('The VAT id of the operator for which VIES gave the number.'),
      })
      .nullable()
      .describe('The answer of VIES; null without a VAT id and for countries outside the European Union.'),
    version: z.int(),
  })
  .meta({ title: 'BillingProfile' });
export type BillingProfile = z.output<typeof billingProfileResponse>;
