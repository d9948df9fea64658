import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { adminPayoutResponse, adminPayoutView, markFailedBody, payoutIdParams } from '@/lib/payouts/contract';
import { markPayoutFailed } from '@/lib/payouts/mark';
import { getPayout } from '@/lib/payouts/queries';

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
