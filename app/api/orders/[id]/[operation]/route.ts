import { joinRoutes, route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { saveBriefBody } from '@/lib/orders/briefs/schemas';
import { orderView } from '@/lib/orders/contract';
import { createDisputeRoute } from '@/lib/orders/disputes/route';
import { createCheckRoutes } from '@/lib/orders/link-checks/routes';
import { listMessagesRoute, postMessageRoute } from '@/lib/orders/messages/routes';
import { actAsBuyer } from '@/lib/orders/order/authorize';
import { orderIdParams, orderResponse } from '@/lib/orders/order/schemas';
import { saveBrief } from '@/lib/orders/order/write-briefs';
import { answerExtension } from '@/lib/orders/placements/fulfill';
import { approveDelivery, cancelPlacement, requestRevision } from '@/lib/orders/placements/review';
import { cancelBody, extensionAnswerBody, revisionBody, versionBody } from '@/lib/orders/placements/schemas';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  approve: {
    POST: route(
      {
        access: 'session',
        scope: 'orders:write',
        params: orderIdParams,
        summary: 'Approves a delivery: the seller earns the price.',
        response: orderResponse,
        errors: ['not_found', 'conflict'],
        body: versionBody,
      },
      async ({ actor, params, body }) => {
        const order = await actAsBuyer(actor, params.id, body, (tx, locked) =>
          approveDelivery(tx, actor, locked, { role: 'buyer' }),
        );
        deliverAfterResponse();
        return orderView(order);
      },
    ),
  },
  cancel: {
    POST: route(
      {
        access: 'session',
        scope: 'orders:write',
        params: orderIdParams,
        summary: 'Cancels an order that a seller fulfills: the charge returns to the wallet.',
        description: 'Possible before the seller accepts, when the delivery is late, and when the seller agreed.',
        response: orderResponse,
        errors: ['not_found', 'conflict'],
        body: cancelBody,
      },
      async ({ actor, params, body }) => {
        const order = await actAsBuyer(actor, params.id, body, (tx, locked) =>
          cancelPlacement(tx, actor, locked, { role: 'buyer', reason: body.reason }),
        );
        deliverAfterResponse();
        return orderView(order);
      },
    ),
  },
  dispute: { POST: createDisputeRoute('buyer') },
  extension: {
    POST: route(
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
    ),
  },
  revision: {
    POST: route(
      {
        access: 'session',
        scope: 'orders:write',
        params: orderIdParams,
        summary: 'Sends a delivery back with a requested change.',
        response: orderResponse,
        errors: ['not_found', 'conflict'],
        body: revisionBody,
      },
      async ({ actor, params, body }) => {
        const order = await actAsBuyer(actor, params.id, body, (tx, locked) =>
          requestRevision(tx, actor, locked, body),
        );
        deliverAfterResponse();
        return orderView(order);
      },
    ),
  },
  brief: {
    PUT: route(
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
    ),
  },
  checks: createCheckRoutes('buyer'),
  messages: {
    GET: listMessagesRoute('buyer'),
    POST: postMessageRoute('buyer'),
  },
});
