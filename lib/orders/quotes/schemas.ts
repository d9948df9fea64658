import { z } from 'zod';
import { currencies } from '@/lib/money';
import { briefResponse } from '@/lib/orders/responses';
import { createOrderBody } from '@/lib/orders/schemas';

/** How long a quote can be placed, in minutes. */
export const quoteMinutes = 10;

const [packageOrder, customOrder] = createOrderBody.options;

/** The body of POST /api/quotes: an order without the total that the buyer saw, which the quote tells. */
export const createQuoteBody = z.discriminatedUnion('kind', [
  packageOrder.omit({ shownTotalCents: true }),
  customOrder.omit({ shownTotalCents: true }),
]);
export type CreateQuoteInput = z.output<typeof createQuoteBody>;

export const quoteIdParams = z.object({ id: z.string().min(1).max(64).describe('The `id` of the quote.') });

/** The body of POST /api/quotes/{id}/place. */
export const placeQuoteBody = z.object({
  expectedTotalCents: z
    .int('Enter the totalCents of the quote.')
    .min(0, 'Enter the totalCents of the quote.')
    .describe('The `totalCents` of the quote that the buyer agreed to. Another total is refused.'),
});

const quotedItemResponse = z.object({
  siteId: z.int().nullable(),
  packageId: z.int().nullable(),
  website: z.string(),
  postType: z.string(),
  packageName: z.string(),
  packageDesc: z.string(),
  quantity: z.int(),
  price: z.number().describe('In `currency`, in major units.'),
  currency: z.enum(currencies),
  usdPerUnit: z.number().describe('The exchange rate: USD for one unit of `currency`.'),
  chargedCents: z.int().describe('The amount that the wallet pays, in USD cents.'),
  brief: briefResponse
    .omit({ articleFileName: true, version: true })
    .extend({ articleId: z.string().nullable() })
    .meta({ title: 'QuotedBrief' }),
});

/** What an order would cost. */
export const quoteResponse = z
  .object({
    id: z.string(),
    expiresAt: z.iso.datetime(),
    projectId: z.string(),
    projectDomain: z.string(),
    items: z.array(quotedItemResponse),
    totalCents: z.int().describe('In USD cents.'),
    balanceCents: z.int().describe("The wallet's balance in USD cents."),
    missingCents: z.int().describe('What to add to the wallet first, in USD cents; 0 if the balance suffices.'),
    topUpPath: z.string().nullable().describe('The page that adds the missing amount; null if the balance suffices.'),
  })
  .meta({ title: 'OrderQuote' });
export type QuoteView = z.output<typeof quoteResponse>;
