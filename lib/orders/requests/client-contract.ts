import { z } from 'zod';
import type { requestLineStates } from '@/db/schema/order-requests';
import { trimProse } from '@/lib/network/visible-text';
import { checkPrices, priceFields } from '@/lib/orders/client-reports/contract';
import { dayMs } from '@/lib/platform/durations';

/** The default end of a link, in days, and the latest. */
export const linkDays = 14;
const maxLinkDays = 90;

const wrongEnd = 'Use a time in ISO 8601, e.g. 2026-12-01T12:00:00Z.';

/** The body of POST /api/user/requests/{id}/link. */
export const createLinkBody = z
  .object({
    expiresAt: z.iso
      .datetime({ offset: true, error: wrongEnd })
      .refine((at) => Date.parse(at) > Date.now(), 'Choose a time in the future.')
      .refine((at) => Date.parse(at) < Date.now() + maxLinkDays * dayMs, `Choose a time within ${maxLinkDays} days.`)
      .optional()
      .describe(
        `When the link ends. Default: in ${linkDays} days. A request that would expire earlier stays open until then.`,
      ),
    ...priceFields,
    prices: priceFields.prices
      .optional()
      .describe(
        'What the client sees of prices. `markup`: your price and a percentage. `fixed`: one amount a line. Default: as in the last link of the project, otherwise as in its last client report, otherwise `none`.',
      ),
  })
  .superRefine(checkPrices);
export type CreateLinkInput = z.output<typeof createLinkBody>;

export const createdLinkResponse = z.object({
  url: z.string().describe('The public address. It is shown once: only its hash is stored.'),
  expiresAt: z.iso.datetime(),
});

const maxCommentLength = 1_000;

/** The most lines of a request: as many as sites of an order. */
const maxLines = 100;

const commentField = z
  .string('Enter a text.')
  // As a form of a browser counts and shows it: a form sends line breaks of two characters.
  .overwrite((text) => trimProse(text.replace(/\r\n?/g, '\n')))
  .max(maxCommentLength, `Use at most ${maxCommentLength.toLocaleString('en-US')} characters.`);

/** The comments of a member with the role Client, by the ids of lines. */
export const clientComments = z
  .record(z.string().max(64), commentField, 'Enter comments by the ids of lines.')
  .refine((comments) => Object.keys(comments).length <= maxLines, `Send at most ${maxLines} comments.`);

/** What the page behind a link posts to its own address. */
export const clientAnswerBody = z.object({
  lines: z
    .array(
      z.object({
        id: z.string().min(1).max(64),
        approved: z.boolean('Send true or false.'),
        comment: commentField.optional(),
      }),
    )
    .max(maxLines, `Send at most ${maxLines} lines.`)
    .describe('An answer to every line of the request.'),
});
export type ClientAnswer = z.output<typeof clientAnswerBody>['lines'];

/** The most bytes of an answer: comments of six bytes a character as JSON, or nine in a form. */
export const maxAnswerBytes = maxLines * (9 * maxCommentLength + 200) + 1_000;

/** What the answer of a client led to. */
export const clientAnswerResponse = z.object({
  state: z
    .enum(['ordered', 'declined', 'kept'])
    .describe('`kept`: the answer was stored, and the agency confirms the order, e.g. because a price changed.'),
});
export type ClientAnswerResult = z.output<typeof clientAnswerResponse>;

/** A line as the client sees it: nothing of the marketplace's prices. */
export type ClientLine = {
  id: string;
  state: (typeof requestLineStates)[number];
  comment: string;
  /** The domain of the site, or the name of the package. */
  name: string;
  /** The site; null for a package. */
  site: {
    /** Niche, country, language, the kind of post and link. */
    facts: string[];
    figures: { name: string; value: string; origin: string }[];
  } | null;
  anchor: string;
  targetUrl: string;
  /** The agency's price in USD cents; null without prices. */
  priceCents: number | null;
};

/** A request as the client sees it. */
export type ClientRequest = {
  id: string;
  projectDomain: string;
  state: 'open' | 'approved' | 'declined' | 'expired';
  /** When the client answered; null before. */
  answeredAt: Date | null;
  /** Until when the client can answer. */
  endsAt: Date;
  lines: ClientLine[];
  /** The agency's prices together; null without prices. */
  totalCents: number | null;
};
