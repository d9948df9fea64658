import 'server-only';
import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { orderIdParams } from '@/lib/orders/order/schemas';
import { disputeResponse, openDisputeBody } from './contract';
import { openDispute } from './open';

const declarations = {
  buyer: {
    access: 'account:orders',
    scope: 'orders:write',
    summary: "Opens a dispute about an order's delivery.",
  },
  seller: { access: 'seller', summary: 'Opens a dispute about a requested change.' },
} as const;

/** Creates the route by which a side opens a dispute. */
export const createDisputeRoute = (side: 'buyer' | 'seller') =>
  route(
    {
      ...declarations[side],
      description: 'The clocks of the placement stand still until the dispute ends.',
      response: disputeResponse,
      status: 201,
      errors: ['not_found', 'conflict'],
      params: orderIdParams,
      body: openDisputeBody,
    },
    async ({ actor, params, body }) => {
      const dispute = await openDispute(actor, params.id, side, body);
      deliverAfterResponse();
      return dispute;
    },
  );
