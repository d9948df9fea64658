import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver-after-response';
import { removePayoutMethod, savePayoutMethod } from '@/lib/payouts/methods/save';
import { payoutMethodResponse, savePayoutMethodBody } from '@/lib/payouts/methods/schemas';
import { findPayoutMethod, payoutMethodView } from '@/lib/payouts/methods/show';

export const GET = route(
  {
    access: 'seller',
    summary: "Returns the seller's payout method with the last four characters of the account, or null values.",
    response: payoutMethodResponse,
  },
  async ({ actor }) => payoutMethodView(await findPayoutMethod(actor.userId)),
);

export const PUT = route(
  {
    access: 'seller',
    summary: 'Sets the payout method. No payout is sent to it within the first 72 hours.',
    response: payoutMethodResponse,
    errors: ['not_configured', 'rate_limited'],
    body: savePayoutMethodBody,
  },
  async ({ actor, body: { method, ...proof } }) => {
    const saved = await savePayoutMethod(actor, method, proof);
    deliverAfterResponse();
    return payoutMethodView(saved);
  },
);

export const DELETE = route(
  {
    access: 'seller',
    recentAuthentication: true,
    summary: 'Removes the payout method. Approved payouts are still sent to it.',
    response: payoutMethodResponse,
    errors: ['conflict', 'not_configured', 'rate_limited'],
  },
  async ({ actor }) => {
    await removePayoutMethod(actor);
    deliverAfterResponse();
    return payoutMethodView(undefined);
  },
);
