import { z } from 'zod';
import { siteStatuses } from '@/db/schema/sites';
import { currencies } from '@/lib/money';
import { nameField } from '@/lib/platform/http/fields';
import { turnaroundField } from '@/lib/sites/edit-schemas';
import { maxPriceCents } from '@/lib/sites/pricing/price-by-rule';
import { sellerSitesFilter } from '@/lib/sites/seller-queries';
import { toLanguageName } from '@/lib/taxonomy/find-language';

/** The maximum number of sites of one change. */
export const maxOwnBulkSites = 10_000;
/** The changed sites that an answer shows with their old and new values. */
export const maxSamples = 10;
/** The days for which a pause can end by itself. */
const maxPauseDays = 366;
const dayMs = 86_400_000;

const percentMessage = 'Use a percentage from -99.99 to 1,000 with at most two decimals, e.g. 10 or -5.5.';
const amountMessage = 'Use an amount in cents, e.g. 500 or -250.';
const setMessage = 'Use a price in cents from 1 to 100,000,000.';

const price = z
  .union(
    [
      z.strictObject({
        percent: z
          .number(percentMessage)
          .min(-99.99, percentMessage)
          .max(1_000, percentMessage)
          .multipleOf(0.01, percentMessage),
      }),
      z.strictObject({
        cents: z.int(amountMessage).min(-maxPriceCents, amountMessage).max(maxPriceCents, amountMessage),
      }),
      z.strictObject({ set: z.int(setMessage).min(1, setMessage).max(maxPriceCents, setMessage) }),
    ],
    {
      error: ({ input }) => {
        if (typeof input === 'object' && input !== null && 'percent' in input) return percentMessage;
        if (typeof input === 'object' && input !== null && 'cents' in input) return amountMessage;
        return typeof input === 'object' && input !== null && 'set' in input
          ? setMessage
          : 'Use one of percent, cents and set.';
      },
    },
  )
  .describe(
    'The new price of the seller: changed by `percent` or by `cents`, or `set`. Amounts are in cents of the currency of each site. A percentage is rounded to the cent, half away from zero.',
  );
export type PriceChange = z.output<typeof price>;

const untilMessage = `Choose a day from tomorrow to ${maxPauseDays} days from now.`;
const until = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], untilMessage)
  .transform((text) => new Date(text))
  .refine((at) => at.getTime() > Date.now() && at.getTime() <= Date.now() + maxPauseDays * dayMs, untilMessage)
  .describe('When the sites are for sale again; a day begins at midnight UTC.');

const onlyTrue = z.literal(true, 'Use true.').optional();

const ownChange = z
  .strictObject({
    price: price.optional(),
    turnaround: z
      .union([z.int(), z.string().trim().min(1)], 'Enter a turnaround, e.g. 5 days.')
      .transform((text): string | null => String(text))
      .pipe(turnaroundField)
      .optional(),
    language: nameField('Enter a language.', 100).transform(toLanguageName).optional(),
    niche: nameField('Enter a niche.', 100).optional(),
    pause: z.strictObject({ until: until.nullable().optional() }).optional(),
    resume: onlyTrue,
    remove: onlyTrue,
  })
  .superRefine((change, context) => {
    const named = Object.entries(change).filter(([, value]) => value !== undefined);
    const refuse = (message: string) => context.addIssue({ code: 'custom', message });
    if (named.length === 0) refuse('Name at least one change.');
    if (change.remove && named.length > 1) refuse('A removal cannot be combined with another change.');
    if (change.pause && change.resume) refuse('Either pause or resume.');
  });
export type OwnChange = z.output<typeof ownChange>;

const siteId = z.int().min(1).max(2_147_483_647);
const chosen = 'Choose at least one site.';

/** POST /api/seller/sites/bulk. */
export const ownBulkBody = z
  .strictObject({
    ids: z
      .array(siteId, chosen)
      .min(1, chosen)
      .max(maxOwnBulkSites, 'Choose at most 10,000 sites.')
      .transform((ids) => [...new Set(ids)])
      .optional(),
    // Strict, so that a misspelled filter does not match every site.
    filter: z
      .strictObject(sellerSitesFilter.shape)
      .optional()
      .describe('The query of GET /api/seller/sites; `{}` for all sites.'),
    change: ownChange,
    dryRun: z
      .boolean('Use true or false.')
      .default(false)
      .describe('Returns what the change would do, and changes nothing.'),
    preview: z
      .string()
      .max(64)
      .optional()
      .describe('The `preview` of a dry run. The change is refused if it would now do something else.'),
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    path: ['ids'],
    message: 'Name the sites either by ids or by a filter.',
  });
export type OwnBulkInput = z.output<typeof ownBulkBody>;

const values = z
  .object({
    priceCents: z.int().nullable(),
    turnaround: z.string(),
    language: z.string(),
    niche: z.string(),
    status: z.enum(siteStatuses),
    isPaused: z.boolean(),
    pausedUntil: z.iso.datetime().nullable(),
  })
  .partial()
  .describe('The values that change. A removal changes none.');
export type SampleValues = z.output<typeof values>;

export const ownBulkResponse = z.object({
  count: z.int().describe('The sites that were named or that match the filter.'),
  changed: z.int().describe('The sites that change. Sites that have the wanted values already do not.'),
  review: z.int().describe('Of the changed sites, those that return to review and leave the sale until then.'),
  rejected: z
    .array(z.object({ id: z.int(), reason: z.string() }))
    .describe('The sites that cannot be changed, which does not prevent the others.'),
  samples: z
    .array(z.object({ id: z.int(), name: z.string(), currency: z.enum(currencies), before: values, after: values }))
    .describe(`Up to ${maxSamples} of the changed sites.`),
  preview: z.string().optional().describe('Of a dry run: to send with the change.'),
});
export type OwnBulkOutcome = z.output<typeof ownBulkResponse>;
