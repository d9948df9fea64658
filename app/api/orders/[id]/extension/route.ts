import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { orderView } from '@/lib/orders/contract';
import { actAsBuyer } from '@/lib/orders/order/authorize';
import { orderIdParams, orderResponse } from '@/lib/orders/order/schemas';
import { answerExtension } from '@/lib/orders/placements/fulfill';
import { extensionAnswerBody } from '@/lib/orders/placements/schemas';

export const POST = route(
  {
    access: 'session',
    scope: 'orders:write',
    params: orderIdParams,
    summary: 'Grants or refuses the days for which the seller asked.',
    response: orderResponse,
    errors: ['not_found', 'conflict'],
    body: extensionAnswerBody,
  },
  async ({ actor, params, body }) => {
    const order = await actAsBuyer(actor, params.id, body, (tx, locked) =>
      answerExtension(tx, actor, locked, { grant: body.grant, role: 'buyer' }),
    );
    deliverAfterResponse();
    return orderView(order);
  },
);
