import { z } from 'zod';
import { type AnchorKind, anchorKinds } from '@/db/enums';
import { normalizeLine } from '@/lib/network/visible-text';
import { integerParam, nameField, versionField } from '@/lib/platform/http/fields';
import { anchorPlanField } from '@/lib/settings/anchor-plan';

/** As the anchor of a brief. */
const maxTextLength = 200;
const maxBrandWords = 50;
const maxPoolTexts = 500;
/** The maximum size of the body of a plan: six bytes for each character of its texts, as `\u20ac`, and the rest. */
export const maxPlanBytes = 6 * (maxPoolTexts * maxTextLength + maxBrandWords * 100) + 64 * 1024;

const poolText = z
  .string('Enter a text.')
  .overwrite(normalizeLine)
  .min(1, 'Enter a text. Links of an image and links without text need none.')
  .max(maxTextLength, `Use at most ${maxTextLength} characters.`)
  .refine((text) => !/\p{Cc}/u.test(text), 'Enter the text on one line.');

/** The body of PUT /api/user/projects/{id}/anchor-plan. */
export const saveAnchorPlanBody = z.object({
  plan: anchorPlanField,
  brandWords: z
    .array(nameField('Enter a brand word.', 100), 'Enter the brand words as a list.')
    .max(maxBrandWords, `Enter at most ${maxBrandWords} brand words.`)
    .transform((words) => [...new Set(words)])
    .describe("What the brand is called. The name in the project's domain counts by itself."),
  pool: z
    .array(
      z.object(
        {
          text: poolText,
          kind: z
            .enum(anchorKinds, `Use one of ${anchorKinds.join(', ')}.`)
            .optional()
            .describe('Follows from the text. One that differs is refused.'),
        },
        'Enter each text as an object with `text`.',
      ),
      'Enter the texts as a list.',
    )
    .max(maxPoolTexts, `Enter at most ${maxPoolTexts} texts.`)
    .describe('The texts to propose. A text that the list repeats counts once.'),
  version: versionField
    .optional()
    .describe('The version the request is based on, 0 for a plan that was never saved; a stale one is refused.'),
});
export type SaveAnchorPlanInput = z.output<typeof saveAnchorPlanBody>;

const percent = z.int().min(0).max(100);
const links = z.int().min(0);
const ofKinds = <Field extends z.ZodType>(field: Field) =>
  z.object({
    ...{ brand: field, address: field, generic: field, partial: field },
    ...{ exact: field, image: field, none: field },
  } satisfies Record<AnchorKind, Field>);

const anchorResponse = z.object({ text: z.string(), kind: z.enum(anchorKinds) });

/** The anchor plan of a project. */
export const anchorPlanResponse = z
  .object({
    plan: ofKinds(percent).describe('The share of each kind in percent; together 100.'),
    brandWords: z.array(z.string()),
    pool: z.array(anchorResponse).describe('The texts that are proposed, with their kinds.'),
    actual: z
      .object({ all: ofKinds(links), days90: ofKinds(links) })
      .describe('The number of links of each kind: own orders and imported links, all and of the last 90 days.'),
    version: z.int().describe('The version to send with a change; 0 while the plan of the marketplace applies.'),
  })
  .meta({ title: 'AnchorPlan' });
export type AnchorPlanView = z.output<typeof anchorPlanResponse>;

/** The query of GET /api/user/projects/{id}/anchor-plan/next. */
export const proposeAnchorsQuery = z.object({
  count: integerParam(1, 200).default(1).describe('The number of anchors to propose.'),
});

export const proposedAnchorsResponse = z
  .object({
    anchors: z
      .array(anchorResponse)
      .describe('In the order to use them. `image` and `none` have an empty text. Fewer if no kind has a text.'),
  })
  .meta({ title: 'ProposedAnchors' });
