import { z } from 'zod';
import { placementStates } from '@/db/schema/placements';
import { linkUrlField } from '@/lib/orders/briefs/schemas';
import { placementTabNames } from '@/lib/orders/contract';
import { choiceParam, numberCursorField, pageQuery, proseField, versionField } from '@/lib/platform/http/fields';

const version = versionField
  .optional()
  .describe('The version of the placement on which the request is based; a stale one is refused.');

const optionalText = (max: number) =>
  z
    .string('Enter a text.')
    .trim()
    .max(max, `Use at most ${max.toLocaleString('en-US')} characters.`)
    .optional();

const addressMessage = 'Enter the web address of the page, e.g. https://example.com/article.';
const deliveredUrl = z
  .string(addressMessage)
  .pipe(linkUrlField)
  .refine((url) => url !== '', addressMessage);

/** The body of requests with nothing else. */
export const versionBody = z.object({ version });

/** The body of POST /api/seller/orders/{id}/decline. */
export const declineBody = z.object({ reason: proseField('Enter a reason.', 500), version });

/** The reason of a delivery whose link is not in order. */
export const deliveryReason = proseField('Enter a reason.', 500)
  .optional()
  .describe('Why a page is delivered whose link is not in order; the buyer reads it.');

/** The body of POST /api/seller/orders/{id}/deliver. */
export const deliverBody = z.object({
  url: deliveredUrl,
  dryRun: z.boolean('Send true or false.').optional().describe('Only checks the page, and returns `check`.'),
  reason: deliveryReason,
  version,
});

/** The body of POST /api/seller/orders/{id}/extension. */
export const extensionBody = z.object({
  days: z.int('Enter 1 to 30 days.').min(1, 'Enter 1 to 30 days.').max(30, 'Enter 1 to 30 days.'),
  reason: proseField('Enter a reason.', 500),
  version,
});
export type ExtensionInput = z.output<typeof extensionBody>;

/** The body of POST /api/orders/{id}/extension. */
export const extensionAnswerBody = z.object({ grant: z.boolean('Grant or refuse the days.'), version });

/** The body of POST /api/orders/{id}/cancel. */
export const cancelBody = z.object({ reason: optionalText(500), version });

/** The body of POST /api/orders/{id}/revision. */
export const revisionBody = z.object({
  reason: proseField('Enter a reason.', 500),
  text: optionalText(4_000),
  version,
});
export type RevisionInput = z.output<typeof revisionBody>;

const staffActions = [
  'accept',
  'decline',
  'deliver',
  'approve',
  'cancel',
  'takeOver',
  'grantExtension',
  'refuseExtension',
] as const;

/** The body of POST /api/admin/orders/{id}/placement. */
export const staffPlacementBody = z
  .object({
    action: z.enum(staffActions, { error: `Choose one of ${staffActions.join(', ')}.` }),
    url: deliveredUrl.optional().describe('Required for `deliver`: the address of the page.'),
    reason: optionalText(500).describe(
      'For `decline`, `cancel` and `takeOver`, and for `deliver` of a page whose link is not in order; the buyer and the seller see it.',
    ),
    version,
  })
  .refine(({ action, url }) => action !== 'deliver' || url !== undefined, { error: addressMessage, path: ['url'] });
export type StaffPlacementInput = z.output<typeof staffPlacementBody>;

/** The query of GET /api/seller/orders. */
export const sellerOrdersQuery = pageQuery(100, 200).extend({
  state: choiceParam([...placementStates, ...placementTabNames])
    .optional()
    .describe(
      'A state, or a tab of the queue: several states, `repair` for links to repair, or `changes` for open paid changes.',
    ),
  cursor: numberCursorField,
});
