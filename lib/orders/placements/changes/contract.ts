import { z } from 'zod';
import { linkVerdicts } from '@/db/schema/links';
import { type ChangeState, changeStates, type orderChanges } from '@/db/schema/order-changes';
import { saveBriefBody } from '@/lib/orders/briefs/schemas';
import { deliveryReason } from '@/lib/orders/placements/schemas';
import { proseField, versionField } from '@/lib/platform/http/fields';

export type Change = typeof orderChanges.$inferSelect;

/** A step of a change; each leads to the state of its name. */
export type ChangeAction = ChangeState;

/** The final states. */
export const isChangeOver = ({ state }: Pick<Change, 'state'>): boolean =>
  state === 'approved' || state === 'declined' || state === 'withdrawn' || state === 'expired';

/** The states from which each step is possible, and what completes its refusal in another state. */
export const changeSteps: Record<Exclude<ChangeAction, 'asked'>, { from: readonly ChangeState[]; rule: string }> = {
  priced: { from: ['asked', 'priced'], rule: 'another price can be named only before the change is accepted' },
  accepted: { from: ['asked', 'priced'], rule: 'it can be accepted only once' },
  delivered: { from: ['accepted', 'delivered'], rule: 'only an accepted change can be delivered' },
  approved: { from: ['delivered'], rule: 'only a delivered change can be approved' },
  declined: { from: ['asked', 'priced', 'accepted', 'delivered'], rule: 'it is over' },
  withdrawn: { from: ['asked', 'priced', 'delivered'], rule: 'it can be withdrawn only before the seller accepts it' },
  expired: { from: ['asked', 'priced', 'accepted', 'delivered'], rule: 'it is over' },
};

/**
 * Checks whether the buyer can withdraw a change: before its acceptance, and a delivery in which a check does not find
 * the link, or could not tell until the end of the review.
 */
export function canWithdraw({ state, checkVerdict, dueAt }: Change, now: Date): boolean {
  if (state === 'asked' || state === 'priced') return true;
  if (state !== 'delivered' || checkVerdict === 'ok') return false;
  return checkVerdict !== 'unknown' || (dueAt !== null && dueAt <= now);
}

/** The largest share that a seller can ask for, in USD cents. */
const maxCents = 10_000_000;
const centsMessage = 'Enter an amount from $0.00 to $100,000.00.';

const version = versionField
  .optional()
  .describe('The version of the change on which the request is based; a stale one is refused.');
/** The body of POST /api/orders/{id}/changes. */
export const askBody = z.object({
  text: proseField('Describe the change.', 4_000).describe('What to change in the article.'),
  targetUrl: saveBriefBody.shape.targetUrl.describe('The page that the link leads to afterwards. Default: as before.'),
  anchor: saveBriefBody.shape.anchor.describe('The text of the link afterwards. Default: as before.'),
  shownTotalCents: z
    .int()
    .min(0)
    .optional()
    .describe('The price with tax that the buyer saw, in USD cents. A higher current one is refused.'),
});
export type AskInput = z.output<typeof askBody>;

/** The body of POST /api/orders/{id}/changes/{changeId}/approve. */
export const approveChangeBody = z.object({
  version,
  shownTotalCents: z
    .int()
    .min(0)
    .optional()
    .describe(
      'The price with tax that the buyer agrees to, in USD cents. A higher current one is refused. Default: with the tax when the price was named.',
    ),
});
export type ApproveChangeInput = z.output<typeof approveChangeBody>;

/** The body of steps without other fields. */
export const changeVersionBody = z.object({ version });

/** The body of POST /api/seller/orders/{id}/changes/{changeId}/reprice. */
export const repriceBody = z.object({
  cents: z
    .int(centsMessage)
    .min(0, centsMessage)
    .max(maxCents, centsMessage)
    .describe("The seller's share in USD cents. The buyer's price is in proportion to that of the order."),
  reason: proseField('Enter a reason.', 500),
  version,
});

/** The body of POST /api/seller/orders/{id}/changes/{changeId}/decline. */
export const declineChangeBody = z.object({ reason: proseField('Enter a reason.', 500), version });

/** The body of POST /api/seller/orders/{id}/changes/{changeId}/deliver. */
export const deliverChangeBody = z.object({
  reason: deliveryReason,
  version,
});

const common = {
  id: z.string(),
  orderId: z.int(),
  state: z.enum(changeStates),
  text: z.string().describe('What the buyer asks for.'),
  targetUrl: z.string().describe('The page that the link leads to afterwards; empty for the one before.'),
  anchor: z.string().describe('The text of the link afterwards; empty for the one before.'),
  sellerNote: z.string().describe("The seller's reason for another price, a refusal or a delivery."),
  check: z
    .object({ verdict: z.enum(linkVerdicts), reasons: z.array(z.string()), checkedAt: z.iso.datetime() })
    .nullable()
    .describe('What the newest check found of the changed link; null before the delivery.'),
  askedAt: z.iso.datetime(),
  deliveredAt: z.iso.datetime().nullable(),
  dueAt: z.iso
    .datetime()
    .nullable()
    .describe('When the state ends without an answer; a delivery that was found is then approved.'),
  endedAt: z.iso.datetime().nullable(),
  version: z.int().describe('The version to send with a step, so that concurrent steps are detected.'),
};

/** A paid change as its buyer sees it. */
export const changeResponse = z
  .object({
    ...common,
    priceCents: z.int().describe('The price in USD cents, which the buyer pays with `taxCents`.'),
    taxCents: z
      .int()
      .describe('The tax on `priceCents`, in USD cents: what was paid, or before the payment what it would be now.'),
    chargedAt: z.iso.datetime().nullable().describe('When the price left the wallet.'),
    returnedAt: z.iso.datetime().nullable().describe('When the price returned to the wallet.'),
    mayWithdraw: z.boolean(),
  })
  .meta({ title: 'OrderChange' });
export type ChangeView = z.output<typeof changeResponse>;

/** A paid change as the seller of the site sees it. */
export const sellerChangeResponse = z
  .object({ ...common, earnsCents: z.int().describe("The seller's share of the price, in USD cents.") })
  .meta({ title: 'SellerOrderChange' });
export type SellerChangeView = z.output<typeof sellerChangeResponse>;

/** The response of GET /api/orders/{id}/changes. */
export const changesResponse = z.object({
  priceCents: z
    .int()
    .nullable()
    .describe('What a change costs now without tax, in USD cents; null if none can be asked for.'),
  taxCents: z.int().describe('The tax on `priceCents`, in USD cents; 0 without tax.'),
  reason: z.string().nullable().describe('Why no change can be asked for; null if one can.'),
  changes: z.array(changeResponse).describe('Newest first.'),
});
export const sellerChangesResponse = z.object({ changes: z.array(sellerChangeResponse).describe('Newest first.') });

const iso = (at: Date | null) => at?.toISOString() ?? null;

function commonView(change: Change) {
  const { id, orderId, state, text, targetUrl, anchor, sellerNote, checkVerdict, checkedAt } = change;
  return {
    ...{ id, orderId, state, text, targetUrl, anchor, sellerNote },
    check: checkVerdict &&
      checkedAt && { verdict: checkVerdict, reasons: change.checkReasons, checkedAt: checkedAt.toISOString() },
    askedAt: change.createdAt.toISOString(),
    deliveredAt: iso(change.deliveredAt),
    dueAt: iso(change.dueAt),
    endedAt: iso(change.endedAt),
    version: change.version,
  };
}

/** Returns a change as its buyer sees it, without the seller's share. `viewChanges` reads the tax. */
export const changeView = (change: Change, taxCents = 0, now = new Date()): ChangeView => ({
  ...commonView(change),
  priceCents: change.sellerCents + change.marginCents,
  taxCents,
  chargedAt: iso(change.chargedAt),
  returnedAt: iso(change.returnedAt),
  mayWithdraw: canWithdraw(change, now),
});

/** Returns a change as its seller sees it, without the buyer's price. */
export const sellerChangeView = (change: Change): SellerChangeView => ({
  ...commonView(change),
  earnsCents: change.sellerCents,
});
