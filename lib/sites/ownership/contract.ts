import { z } from 'zod';
import { ownershipMethods } from '@/db/schema/ownership-proofs';

const state = z.enum(['verified', 'unverified']);

/** POST /api/seller/sites/{id}/ownership. */
export const ownershipResponse = z
  .object({
    domain: z.string().describe('The registrable domain of the site, which is proved for all its sites of the seller.'),
    token: z.string().describe('Proves the domain for this seller alone. It is public once it is published.'),
    state,
    methods: z
      .object({
        dns: z.object({ name: z.string(), value: z.string() }).describe('A TXT record.'),
        file: z
          .object({ url: z.string(), content: z.string() })
          .describe('A text file with this line. It may have other lines.'),
        meta: z.object({ html: z.string() }).describe('An element in the head of the home page.'),
        adsTxt: z.object({ url: z.string(), line: z.string() }).describe('A line of ads.txt.'),
      })
      .describe('The ways to prove the domain. One is enough.'),
  })
  .meta({ title: 'SiteOwnership' });
export type OwnershipInstructions = z.output<typeof ownershipResponse>;

/** POST /api/seller/sites/{id}/ownership/check. */
export const ownershipCheckResponse = z
  .object({
    state: state.describe('`verified` until two failed checks a week apart.'),
    method: z.enum(ownershipMethods).nullable().describe('The method that proved the domain; null while unverified.'),
    checkedAt: z.iso.datetime(),
    problems: z
      .array(z.object({ method: z.enum(ownershipMethods), message: z.string() }))
      .describe('Why each method did not prove the domain; empty if one did.'),
  })
  .meta({ title: 'OwnershipCheck' });
export type OwnershipCheck = z.output<typeof ownershipCheckResponse>;
