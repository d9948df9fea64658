import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { answerOrdersBody } from '@/lib/orders/order/answer-orders';
import { approveDeliveries, approveDeliveriesResponse } from '@/lib/orders/order/approve-deliveries';

export const POST = route(
  {
    access: 'account:orders',
    scope: 'orders:write',
    summary: 'Approves up to 100 deliveries: the sellers earn the prices.',
    description:
      'Each delivery is approved or refused on its own: `results` has a line for each id, and one of another buyer is `not_found`.',
    response: approveDeliveriesResponse,
    body: answerOrdersBody,
  },
  async ({ actor, body }) => {
    const outcome = await approveDeliveries(actor, body);
    deliverAfterResponse();
    return outcome;
  },
);
