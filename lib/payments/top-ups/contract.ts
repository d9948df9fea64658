import { z } from 'zod';
import type { TopupStatus, topups } from '@/db/schema/topups';
import { currencyField } from '@/lib/platform/http/fields';

/**
 * Body of the top-up endpoints. `amount` is in major units, a number or a string. `requireTopupAmount` validates it, so
 * that every invalid amount has the same error text.
 */
export const topupBody = z.object({
  amount: z.union([z.number(), z.string().max(40)]).catch(''),
  currency: currencyField,
  returnUrl: z.string().max(2000).default('/user/wallet'),
  cancelUrl: z.string().max(2000).optional(),
});

export const topupIdField = z.string().regex(/^[0-9a-z]{6,32}$/);

/** The parameters of the URL by which a buyer returns from a provider. */
export const topupReturnInput = z.object({
  topupId: topupIdField,
  /** The provider's reference, if it adds one. */
  reference: z.string().min(1).max(200).nullable(),
});
export type TopupReturn = z.output<typeof topupReturnInput>;

/** A top-up for its buyer; the reason of a review is for admins only. */
export type TopupView = { id: string; amountCents: number; currency: string; status: TopupStatus };

export function topupView({ id, amountCents, currency, status }: typeof topups.$inferSelect): TopupView {
  return { id, amountCents, currency, status };
}

const page = z.url().describe("The provider's page to send the buyer to.");

/** POST /api/user/payments/stripe/checkout. */
export const stripeTopupResponse = z.object({ url: page });

/** POST /api/wallet/topup/paypal. */
export const paypalTopupResponse = z.object({ approvalUrl: page });

/** POST /api/wallet/topup/wechat. */
export const wechatTopupResponse = z.object({
  h5_url: page.describe("WeChat Pay's page; on a desktop, a page of this site with the code to scan."),
});
