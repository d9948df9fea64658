import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { markPayoutPaid } from '@/lib/payouts/mark';
import { getPayout } from '@/lib/payouts/queries';
import { adminPayoutResponse, markPaidBody, payoutIdParams } from '@/lib/payouts/schemas';
import { adminPayoutView } from '@/lib/payouts/views';

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
