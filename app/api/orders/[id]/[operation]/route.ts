import { joinRoutes, route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { saveBriefBody } from '@/lib/orders/briefs/schemas';
import { orderView } from '@/lib/orders/contract';
import { createDisputeRoute } from '@/lib/orders/disputes/route';
import { createCheckRoutes } from '@/lib/orders/link-checks/routes';
import { listMessagesRoute, postMessageRoute } from '@/lib/orders/messages/routes';
import { actAsBuyer, extendAsBuyer } from '@/lib/orders/order/authorize';
import { buyerChangeRoutes } from '@/lib/orders/order/change-routes';
import { orderIdParams, orderResponse } from '@/lib/orders/order/schemas';
import { createStepRoutes } from '@/lib/orders/order/step-routes';
import { saveBrief } from '@/lib/orders/order/write-briefs';
import { extendGuaranteeBody } from '@/lib/orders/placements/extend-guarantee';
import { answerExtension } from '@/lib/orders/placements/fulfill';
import { approveDelivery, cancelPlacement, requestRevision } from '@/lib/orders/placements/review';
import { cancelBody, extensionAnswerBody, revisionBody, versionBody } from '@/lib/orders/placements/schemas';

const step = createStepRoutes({
  access: 'account:orders',
  scope: 'orders:write',
  response: orderResponse,
  act: actAsBuyer,
  view: orderView,
});

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  approve: step(versionBody, { summary: 'Approves a delivery: the seller earns the price.' }, (tx, actor, locked) =>
    approveDelivery(tx, actor, locked, { role: 'buyer' }),
  ),
  cancel: step(
    cancelBody,
    {
      summary: 'Cancels an order that a seller fulfills: the charge returns to the wallet.',
      description: 'Possible before the seller accepts, when the delivery is late, and when the seller agreed.',
    },
    (tx, actor, locked, { reason }) => cancelPlacement(tx, actor, locked, { role: 'buyer', reason }),
  ),
  dispute: { POST: createDisputeRoute('buyer') },
  guarantee: {
    POST: route(
      {
        access: 'account:orders',
        scope: 'orders:write',
        summary: 'Extends the running guarantee of a published link, and pays for it from the wallet.',
        description: 'The price is the current one of the option. Counts against the daily limit of an API token.',
        response: orderResponse,
        errors: ['not_found', 'conflict', 'insufficient_funds', 'billing_incomplete'],
        params: orderIdParams,
        body: extendGuaranteeBody,
      },
      async ({ actor, params, body }) => {
        const order = await extendAsBuyer(actor, params.id, body);
        deliverAfterResponse();
        return orderView(order);
      },
    ),
  },
  extension: step(
    extensionAnswerBody,
    { summary: 'Grants or refuses the days for which the seller asked.' },
    (tx, actor, locked, { grant }) => answerExtension(tx, actor, locked, { role: 'buyer', grant }),
  ),
  revision: step(revisionBody, { summary: 'Sends a delivery back with a requested change.' }, requestRevision),
  brief: {
    PUT: route(
      {
        access: 'account:orders',
        scope: 'orders:write',
        summary: "Replaces the brief of the caller's own order.",
        description:
          'Possible until the order is accepted. Absent fields get their defaults, except that an absent `articleId` keeps the article.',
        response: orderResponse,
        errors: ['not_found', 'conflict', 'policy'],
        params: orderIdParams,
        body: saveBriefBody,
      },
      async ({ actor, params, body }) => orderView(await saveBrief(actor, params.id, body)),
    ),
  },
  changes: buyerChangeRoutes,
  checks: createCheckRoutes('buyer'),
  messages: { GET: listMessagesRoute('buyer'), POST: postMessageRoute('buyer') },
});
