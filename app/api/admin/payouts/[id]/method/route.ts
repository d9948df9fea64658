import { route } from '@/lib/auth/route';
import { payoutIdParams } from '@/lib/payouts/contract';
import { payoutMethodDetailsResponse } from '@/lib/payouts/methods/contract';
import { viewMethodDetails } from '@/lib/payouts/methods/show';

export const GET = route(
  {
    access: 'ManagePayouts',
    recentAuthentication: true,
    params: payoutIdParams,
    summary: 'Returns the details of the method that a payout goes to. The audit log records each request.',
    response: payoutMethodDetailsResponse,
    errors: ['not_found'],
  },
  ({ actor, params }) => viewMethodDetails(actor, params.id),
);
