import { z } from 'zod';
import { optionKinds, optionTopics } from '@/db/schema/site-options';

/** An option of a listing in the buyer's prices. */
export const offeredOptionResponse = z
  .object({
    id: z.string().describe('For `brief.options`, and for POST /api/orders/{id}/guarantee.'),
    kind: z.enum(optionKinds),
    days: z.int().optional().describe('The days of a guarantee or of a mention on the homepage.'),
    topic: z.enum(optionTopics).optional(),
    isRefused: z.literal(true).optional().describe('Present if the site does not accept the topic.'),
    surchargeCents: z
      .int()
      .nullable()
      .describe('In USD cents; for `writing`, the price of 100 words. Null for a topic that is not accepted.'),
    surchargePercent: z.int().optional().describe('Present if the surcharge is a percentage of the price.'),
    minimumCents: z.int().optional().describe('For `writing`: the least that an article costs, in USD cents.'),
    minWords: z.int().optional().describe('For `writing`: a shorter article is charged as one of this length.'),
  })
  .meta({ title: 'SiteOption' });
export type OfferedOption = z.output<typeof offeredOptionResponse>;

/** What a listing that its publisher fulfills is sold for, in USD cents. */
export type PricedListing = { id: number; sellerPriceCents: number; publicPriceCents: number; words: number };
