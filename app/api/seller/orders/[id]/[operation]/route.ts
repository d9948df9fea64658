import type { z } from 'zod';
import type { Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { joinRoutes, route } from '@/lib/auth/route';
import type { ErrorCode } from '@/lib/errors';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { createDisputeRoute } from '@/lib/orders/disputes/route';
import { linkCheckResponse, linkCheckView } from '@/lib/orders/link-checks/queries';
import { checkLinkNow } from '@/lib/orders/link-checks/run';
import { listMessagesRoute, postMessageRoute } from '@/lib/orders/messages/routes';
import { actAsSeller } from '@/lib/orders/order/authorize';
import { orderIdParams, sellerOrderResponse } from '@/lib/orders/order/schemas';
import { sellerOrderView } from '@/lib/orders/order/seller-queries';
import {
  acceptOffer,
  askForExtension,
  declineOffer,
  deliverPlacement,
  releasePlacement,
} from '@/lib/orders/placements/fulfill';
import type { LockedPlacement } from '@/lib/orders/placements/lock';
import { declineBody, deliverBody, extensionBody, versionBody } from '@/lib/orders/placements/schemas';

/** Declares a step of the seller: it changes the placement and returns the order. */
const step = <Body extends z.ZodType<{ version?: number | undefined }>>(
  body: Body,
  declared: { summary: string; description?: string; errors?: readonly ErrorCode[] },
  change: (tx: Executor, actor: Actor, locked: LockedPlacement, input: z.output<Body>) => Promise<unknown>,
) => ({
  POST: route(
    {
      access: 'seller',
      params: orderIdParams,
      response: sellerOrderResponse,
      errors: ['not_found', 'conflict'],
      ...declared,
      body,
    },
    async ({ actor, params, body: input }) => {
      const order = await actAsSeller(actor, params.id, input, (tx, locked) => change(tx, actor, locked, input));
      deliverAfterResponse();
      return sellerOrderView(order);
    },
  ),
});

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  accept: step(versionBody, { summary: 'Accepts an offered order.' }, (tx, actor, locked) =>
    acceptOffer(tx, actor, locked, { role: 'seller' }),
  ),
  decline: step(
    declineBody,
    { summary: 'Declines an offered order: the charge returns to the buyer.' },
    (tx, actor, locked, { reason }) => declineOffer(tx, actor, locked, { role: 'seller', reason }),
  ),
  deliver: step(
    deliverBody,
    {
      summary: 'Delivers an order: the page with the link is online.',
      description: 'The page must be on the domain of the ordered site.',
      errors: ['not_found', 'conflict', 'unprocessable'],
    },
    (tx, actor, locked, { url }) => deliverPlacement(tx, actor, locked, { role: 'seller', url }),
  ),
  dispute: { POST: createDisputeRoute('seller') },
  extension: step(extensionBody, { summary: 'Asks the buyer for more days, once for each order.' }, askForExtension),
  release: step(versionBody, { summary: 'Agrees to a cancellation by the buyer.' }, releasePlacement),
  repaired: {
    POST: route(
      {
        access: 'seller',
        params: orderIdParams,
        summary: 'Reports the repair of a link, which is checked at once.',
        response: linkCheckResponse,
        errors: ['not_found', 'conflict', 'rate_limited'],
      },
      async ({ actor, params }) =>
        linkCheckView(await checkLinkNow(actor, params.id, { sellerId: actor.userId }, 'repair')),
    ),
  },
  messages: { GET: listMessagesRoute('seller'), POST: postMessageRoute('seller') },
});
