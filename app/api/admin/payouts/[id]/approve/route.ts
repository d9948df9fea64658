import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { approvePayout } from '@/lib/payouts/approve';
import { getPayout } from '@/lib/payouts/queries';
import { adminPayoutResponse, approvePayoutBody, payoutIdParams } from '@/lib/payouts/schemas';
import { adminPayoutView } from '@/lib/payouts/views';

export const POST = route(
  {
    access: 'ManagePayouts',
    recentAuthentication: true,
    params: payoutIdParams,
    summary: 'Approves a requested payout. Above the limit of the rules, the approvals of two persons are needed.',
    response: adminPayoutResponse,
    errors: ['not_found', 'forbidden', 'conflict'],
    body: approvePayoutBody,
  },
  async ({ actor, params, body }) => {
    await approvePayout(actor, params.id, body.version);
    deliverAfterResponse();
    return adminPayoutView(await getPayout(params.id));
  },
);
