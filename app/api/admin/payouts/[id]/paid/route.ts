import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { adminPayoutResponse, adminPayoutView, markPaidBody, payoutIdParams } from '@/lib/payouts/contract';
import { markPayoutPaid } from '@/lib/payouts/mark';
import { getPayout } from '@/lib/payouts/queries';

export const POST = route(
  {
    access: 'ManagePayouts',
    recentAuthentication: true,
    params: payoutIdParams,
    summary: 'Records that an approved payout was paid.',
    response: adminPayoutResponse,
    errors: ['not_found', 'forbidden', 'conflict'],
    body: markPaidBody,
  },
  async ({ actor, params, body }) => {
    await markPayoutPaid(actor, params.id, body);
    deliverAfterResponse();
    return adminPayoutView(await getPayout(params.id));
  },
);
