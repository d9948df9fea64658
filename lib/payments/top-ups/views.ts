import { z } from 'zod';
import type { TopupStatus, topups } from '@/db/schema/topups';

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
