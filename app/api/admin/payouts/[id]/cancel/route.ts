import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { cancelUnclaimedPayout } from '@/lib/payouts/paypal/cancel-unclaimed';
import { getPayout } from '@/lib/payouts/queries';
import { adminPayoutResponse, payoutIdParams } from '@/lib/payouts/schemas';
import { adminPayoutView } from '@/lib/payouts/views';

export const POST = route(
  {
    access: 'ManagePayouts',
    recentAuthentication: true,
    params: payoutIdParams,
    summary: 'Cancels a payout that its recipient has not claimed at PayPal.',
    response: adminPayoutResponse,
    errors: ['not_found', 'forbidden', 'conflict', 'not_configured', 'provider_failed'],
  },
  async ({ actor, params }) => {
    await cancelUnclaimedPayout(actor, params.id);
    deliverAfterResponse();
    return adminPayoutView(await getPayout(params.id));
  },
);
