import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { adminPayoutResponse, adminPayoutView, payoutIdParams } from '@/lib/payouts/contract';
import { cancelUnclaimedPayout } from '@/lib/payouts/paypal/staff-actions';
import { getPayout } from '@/lib/payouts/queries';

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
