import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { approvePayout } from '@/lib/payouts/approve';
import { adminPayoutResponse, adminPayoutView, approvePayoutBody, payoutIdParams } from '@/lib/payouts/contract';
import { getPayout } from '@/lib/payouts/queries';

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
