import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { markPayoutFailed } from '@/lib/payouts/mark';
import { getPayout } from '@/lib/payouts/queries';
import { adminPayoutResponse, markFailedBody, payoutIdParams } from '@/lib/payouts/schemas';
import { adminPayoutView } from '@/lib/payouts/views';

export const POST = route(
  {
    access: 'ManagePayouts',
    recentAuthentication: true,
    params: payoutIdParams,
    summary: 'Records that a payout was declined, failed, or was returned after it was paid.',
    response: adminPayoutResponse,
    errors: ['not_found', 'forbidden', 'conflict'],
    body: markFailedBody,
  },
  async ({ actor, params, body }) => {
    await markPayoutFailed(actor, params.id, body);
    deliverAfterResponse();
    return adminPayoutView(await getPayout(params.id));
  },
);
