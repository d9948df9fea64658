import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { payoutMethodResponse, savePayoutMethodBody } from '@/lib/payouts/methods/contract';
import { removePayoutMethod, savePayoutMethod } from '@/lib/payouts/methods/save';
import { findPayoutMethod, payoutMethodView } from '@/lib/payouts/methods/show';

const own = { access: 'seller', scope: 'none', response: payoutMethodResponse } as const;

export const GET = route(
  {
    ...own,
    summary: "Returns the seller's payout method with the last four characters of the account, or null values.",
  },
  async ({ actor }) => payoutMethodView(await findPayoutMethod(actor.userId)),
);

export const PUT = route(
  {
    ...own,
    summary: 'Sets the payout method. No payout is sent to it within the first 72 hours.',
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
    ...own,
    recentAuthentication: true,
    summary: 'Removes the payout method. Approved payouts are still sent to it.',
    errors: ['conflict', 'not_configured', 'rate_limited'],
  },
  async ({ actor }) => {
    await removePayoutMethod(actor);
    deliverAfterResponse();
    return payoutMethodView(undefined);
  },
);
