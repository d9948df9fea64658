import { z } from 'zod';
import { postStates, publishSettings } from '@/db/schema/wordpress';
import { linkCheckResponse } from '@/lib/orders/link-checks/queries';
import { versionField } from '@/lib/platform/http/fields';
import { wordpressResponse } from '@/lib/sites/wordpress/contract';

/** The largest featured image. */
const maxImageBytes = 8_000_000;
const maxContentLength = 500_000;
/** Converting takes a second at most; the time grows with the square of the length. */
const maxMarkdownLength = 80_000;
/** The size of a request with the longest content and the largest image in base64. */
export const maxPublishBytes = 6 * maxContentLength + Math.ceil((maxImageBytes * 4) / 3) + 100_000;

const contentFormats = ['markdown', 'html'] as const;
export type ContentFormat = (typeof contentFormats)[number];

const imageMessage = `Choose a PNG, JPEG, WebP or GIF image of up to ${maxImageBytes / 1_000_000} MB.`;

/** The body of POST /api/seller/orders/{id}/publish. */
export const publishBody = z
  .object({
    title: z
      .string('Enter a title.')
      .trim()
      .min(1, 'Enter a title.')
      .max(200, 'Use at most 200 characters.')
      .refine((text) => !/\p{Cc}/u.test(text), 'Enter the title on one line.'),
    content: z
      .string('Enter the article.')
      .trim()
      .min(1, 'Enter the article.')
      .max(maxContentLength, `Use at most ${maxContentLength.toLocaleString('en-US')} characters.`),
    format: z.enum(contentFormats, 'Choose Markdown or HTML.').default('markdown'),
    categoryId: z.int('Choose a category.').positive('Choose a category.').optional(),
    day: z.iso
      .date('Enter a day, e.g. 2026-12-31.')
      .optional()
      .describe('The day of publication, at 08:00 UTC; required by the setting `schedule`.'),
    image: z
      .object({
        fileName: z.string(imageMessage).max(255, imageMessage),
        base64: z.base64(imageMessage).max(Math.ceil((maxImageBytes * 4) / 3) + 4, imageMessage),
      })
      .optional()
      .describe('The featured image.'),
    version: versionField
      .optional()
      .describe('The version of the placement on which the request is based; a stale one is refused.'),
  })
  .refine(({ format, content }) => format === 'html' || content.length <= maxMarkdownLength, {
    path: ['content'],
    error: `Use at most ${maxMarkdownLength.toLocaleString('en-US')} characters of Markdown, or send HTML.`,
  });
export type PublishInput = z.output<typeof publishBody>;

const postShape = z.object({
  state: z.enum(postStates).describe('`publishing`: the last request did not finish; publish again.'),
  title: z.string(),
  url: z.string().nullable().describe('The address of the live post.'),
  publishAt: z.iso.datetime().nullable().describe('When WordPress publishes a scheduled post.'),
  lastError: z.string().describe('Why the post is not delivered, or the last request failed; empty otherwise.'),
});

/** The response of POST /api/seller/orders/{id}/publish. */
export const publishResponse = z
  .object({
    post: postShape,
    isDelivered: z.boolean().describe('Whether the order was delivered with the address of the post.'),
    finding: z.string().describe('What the check of the published page found; empty if the link is in order.'),
  })
  .meta({ title: 'PublishedPost' });
export type PublishView = z.output<typeof publishResponse>;

/** The response of GET /api/seller/orders/{id}/publish. */
export const publishFormResponse = z
  .object({
    wordpress: wordpressResponse,
    publish: z.enum(publishSettings).nullable(),
    notBefore: z.string().nullable().describe('The earliest day of publication of the brief.'),
    categories: z.array(z.object({ id: z.int(), name: z.string() })),
    error: z.string().describe('Why the categories could not be read; empty otherwise.'),
    title: z.string(),
    content: z.string().describe('The article: what was published before, or the text that the buyer uploaded.'),
    format: z.enum(contentFormats),
    post: postShape.nullable(),
  })
  .meta({ title: 'PublishForm' });
export type PublishForm = z.output<typeof publishFormResponse>;

/** The response of POST /api/seller/orders/{id}/restore. */
export const restoreResponse = z
  .object({
    change: z
      .enum(['none', 'link', 'paragraph', 'attributes'])
      .describe(
        'What was missing in the post: nothing, the link of a text, a paragraph with the link, or its attributes.',
      ),
    wasRepublished: z
      .boolean()
      .describe('Whether visitors could not read the post: it was not live, or had a password.'),
    check: linkCheckResponse,
  })
  .meta({ title: 'RestoredLink' });
