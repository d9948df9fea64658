import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { disputeResponse, disputeVersionBody, proposalParams } from '@/lib/orders/disputes/contract';
import { acceptProposal } from '@/lib/orders/disputes/proposals';

export const POST = route(
  {
    access: 'session',
    scope: 'orders:write',
    summary: "Accepts the other side's proposal, which settles the dispute.",
    response: disputeResponse,
    errors: ['not_found', 'forbidden', 'conflict'],
    params: proposalParams,
    body: disputeVersionBody,
  },
  async ({ actor, params, body }) => {
    const dispute = await acceptProposal(actor, params.id, params.n, body.version);
    deliverAfterResponse();
    return dispute;
  },
);
