import type { z } from 'zod';
import type { Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { joinRoutes, route } from '@/lib/auth/route';
import type { ErrorCode } from '@/lib/errors';
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
import type { LockedPlacement } from '@/lib/orders/placements/lock';
import { approveDelivery, cancelPlacement, requestRevision } from '@/lib/orders/placements/review';
import { cancelBody, extensionAnswerBody, revisionBody, versionBody } from '@/lib/orders/placements/schemas';

/** Declares a step of the buyer: it changes the placement and returns the order. */
const step = <Body extends z.ZodType<{ version?: number | undefined }>>(
  body: Body,
  declared: { summary: string; description?: string; errors?: readonly ErrorCode[] },
  change: (tx: Executor, actor: Actor, locked: LockedPlacement, input: z.output<Body>) => Promise<unknown>,
) => ({
  POST: route(
    {
      access: 'session',
      scope: 'orders:write',
      params: orderIdParams,
      response: orderResponse,
      errors: ['not_found', 'conflict'],
      ...declared,
      body,
    },
    async ({ actor, params, body: input }) => {
      const order = await actAsBuyer(actor, params.id, input, (tx, locked) => change(tx, actor, locked, input));
      deliverAfterResponse();
      return orderView(order);
    },
  ),
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
  extension: step(
    extensionAnswerBody,
    { summary: 'Grants or refuses the days for which the seller asked.' },
    (tx, actor, locked, { grant }) => answerExtension(tx, actor, locked, { role: 'buyer', grant }),
  ),
  revision: step(revisionBody, { summary: 'Sends a delivery back with a requested change.' }, requestRevision),
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
  messages: { GET: listMessagesRoute('buyer'), POST: postMessageRoute('buyer') },
});
