import { z } from 'zod';
import { joinRoutes, route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { createDisputeRoute } from '@/lib/orders/disputes/route';
import { linkCheckResponse, linkCheckView } from '@/lib/orders/link-checks/queries';
import { checkLinkNow } from '@/lib/orders/link-checks/run';
import { listMessagesRoute, postMessageRoute } from '@/lib/orders/messages/routes';
import { actAsSeller } from '@/lib/orders/order/authorize';
import { sellerChangeRoutes } from '@/lib/orders/order/change-routes';
import { orderIdParams, sellerOrderResponse } from '@/lib/orders/order/schemas';
import { sellerOrderView } from '@/lib/orders/order/seller-queries';
import { createStepRoutes } from '@/lib/orders/order/step-routes';
import { checkDelivery, deliveryCheckShape, deliveryCheckView } from '@/lib/orders/placements/check-delivery';
import {
  acceptOffer,
  askForExtension,
  declineOffer,
  deliverPlacement,
  releasePlacement,
} from '@/lib/orders/placements/fulfill';
import { declineBody, deliverBody, extensionBody, versionBody } from '@/lib/orders/placements/schemas';
import {
  maxPublishBytes,
  publishBody,
  publishFormResponse,
  publishResponse,
  restoreResponse,
} from '@/lib/orders/posts/contract';
import { getPublishForm } from '@/lib/orders/posts/form';
import { publishPost } from '@/lib/orders/posts/publish';
import { restoreLink } from '@/lib/orders/posts/restore';

const step = createStepRoutes({
  access: 'seller',
  response: sellerOrderResponse,
  act: actAsSeller,
  view: sellerOrderView,
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
  deliver: {
    POST: route(
      {
        access: 'seller',
        params: orderIdParams,
        summary: 'Checks the page with the link, and delivers the order.',
        description:
          'The page must be on the domain of the ordered site. It is checked first, for up to 15 seconds. A page that cannot be opened is never delivered, one whose link is not in order only with a `reason`. With `dryRun`, the response has `check`, and nothing is delivered.',
        response: z.union([sellerOrderResponse, z.object({ check: deliveryCheckShape })]),
        errors: ['not_found', 'conflict', 'unprocessable', 'link_not_in_order'],
        body: deliverBody,
      },
      async ({ actor, params, body }) => {
        const check = await checkDelivery(actor, params.id, body.url);
        if (body.dryRun) return { check: deliveryCheckView(check) };
        const order = await actAsSeller(actor, params.id, body, (tx, locked) =>
          deliverPlacement(tx, actor, locked, { role: 'seller', check, reason: body.reason }),
        );
        deliverAfterResponse();
        return sellerOrderView(order);
      },
    ),
  },
  changes: sellerChangeRoutes,
  dispute: { POST: createDisputeRoute('seller') },
  extension: step(extensionBody, { summary: 'Asks the buyer for more days, once for each order.' }, askForExtension),
  publish: {
    GET: route(
      {
        access: 'seller',
        params: orderIdParams,
        summary:
          'Returns what publishing by WordPress needs: its categories, and the text of the article if there is one.',
        response: publishFormResponse,
        errors: ['not_found', 'conflict', 'rate_limited'],
      },
      ({ actor, params }) => getPublishForm(actor, params.id),
    ),
    POST: route(
      {
        access: 'seller',
        params: orderIdParams,
        summary: 'Publishes the article of an order by the WordPress of its site.',
        description:
          'As a draft, on a day, or at once, by the setting of the site. A live post is delivered; a scheduled one, and a draft that is published in WordPress, once it is live. A repeated request changes the same post.',
        response: publishResponse,
        errors: ['not_found', 'conflict', 'unprocessable', 'too_large', 'provider_failed', 'rate_limited'],
        body: publishBody,
        maxBodyBytes: maxPublishBytes,
      },
      async ({ actor, params, body }) => {
        const published = await publishPost(actor, params.id, body);
        deliverAfterResponse();
        return published;
      },
    ),
  },
  restore: {
    POST: route(
      {
        access: 'seller',
        params: orderIdParams,
        summary: 'Restores the link of an order in the post that was published by WordPress, and checks it at once.',
        response: restoreResponse,
        errors: ['not_found', 'conflict', 'unprocessable', 'too_large', 'provider_failed', 'rate_limited'],
      },
      async ({ actor, params }) => {
        const { check, ...restored } = await restoreLink(actor, params.id);
        deliverAfterResponse();
        return { ...restored, check: linkCheckView(check) };
      },
    ),
  },
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
