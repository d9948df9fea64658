import { joinRoutes, route } from '@/lib/auth/route';
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
import { declineBody, deliverBody, extensionBody, versionBody } from '@/lib/orders/placements/schemas';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  accept: {
    POST: route(
      {
        access: 'seller',
        params: orderIdParams,
        summary: 'Accepts an offered order.',
        response: sellerOrderResponse,
        errors: ['not_found', 'conflict'],
        body: versionBody,
      },
      async ({ actor, params, body }) => {
        const order = await actAsSeller(actor, params.id, body, (tx, locked) =>
          acceptOffer(tx, actor, locked, { role: 'seller' }),
        );
        deliverAfterResponse();
        return sellerOrderView(order);
      },
    ),
  },
  decline: {
    POST: route(
      {
        access: 'seller',
        params: orderIdParams,
        summary: 'Declines an offered order: the charge returns to the buyer.',
        response: sellerOrderResponse,
        errors: ['not_found', 'conflict'],
        body: declineBody,
      },
      async ({ actor, params, body }) => {
        const order = await actAsSeller(actor, params.id, body, (tx, locked) =>
          declineOffer(tx, actor, locked, { role: 'seller', reason: body.reason }),
        );
        deliverAfterResponse();
        return sellerOrderView(order);
      },
    ),
  },
  deliver: {
    POST: route(
      {
        access: 'seller',
        params: orderIdParams,
        summary: 'Delivers an order: the page with the link is online.',
        description: 'The page must be on the domain of the ordered site.',
        response: sellerOrderResponse,
        errors: ['not_found', 'conflict', 'unprocessable'],
        body: deliverBody,
      },
      async ({ actor, params, body }) => {
        const order = await actAsSeller(actor, params.id, body, (tx, locked) =>
          deliverPlacement(tx, actor, locked, { role: 'seller', url: body.url }),
        );
        deliverAfterResponse();
        return sellerOrderView(order);
      },
    ),
  },
  dispute: { POST: createDisputeRoute('seller') },
  extension: {
    POST: route(
      {
        access: 'seller',
        params: orderIdParams,
        summary: 'Asks the buyer for more days, once for each order.',
        response: sellerOrderResponse,
        errors: ['not_found', 'conflict'],
        body: extensionBody,
      },
      async ({ actor, params, body }) => {
        const order = await actAsSeller(actor, params.id, body, (tx, locked) =>
          askForExtension(tx, actor, locked, body),
        );
        deliverAfterResponse();
        return sellerOrderView(order);
      },
    ),
  },
  release: {
    POST: route(
      {
        access: 'seller',
        params: orderIdParams,
        summary: 'Agrees to a cancellation by the buyer.',
        response: sellerOrderResponse,
        errors: ['not_found', 'conflict'],
        body: versionBody,
      },
      async ({ actor, params, body }) => {
        const order = await actAsSeller(actor, params.id, body, (tx, locked) => releasePlacement(tx, actor, locked));
        deliverAfterResponse();
        return sellerOrderView(order);
      },
    ),
  },
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
  messages: {
    GET: listMessagesRoute('seller'),
    POST: postMessageRoute('seller'),
  },
});
