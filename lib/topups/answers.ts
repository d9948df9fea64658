import { z } from 'zod';

const page = z.url().describe("The provider's page that the buyer is sent to.");

/** POST /api/user/payments/stripe/checkout. */
export const stripeTopupAnswer = z.object({ url: page });

/** POST /api/wallet/topup/paypal. */
export const paypalTopupAnswer = z.object({ approvalUrl: page });

/** POST /api/wallet/topup/wechat. */
export const wechatTopupAnswer = z.object({
  h5_url: page.describe('The page of WeChat Pay; on a desktop our own with the code to scan.'),
});
