import { route } from '@/lib/auth/route';
import { saveBriefBody } from '@/lib/orders/briefs/schemas';
import { orderView } from '@/lib/orders/contract';
import { orderIdParams, orderResponse } from '@/lib/orders/order/schemas';
import { saveBrief } from '@/lib/orders/order/write-briefs';

export const PUT = route(
  {
    access: 'session',
    scope: 'orders:write',
    summary: "Replaces the brief of the caller's own order.",
    description:
      'Possible until the order is accepted. Absent fields get their defaults, except that an absent `articleId` keeps the article.',
    response: orderResponse,
    errors: ['not_found', 'conflict'],
    params: orderIdParams,
    body: saveBriefBody,
  },
  async ({ actor, params, body }) => orderView(await saveBrief(actor, params.id, body)),
);
