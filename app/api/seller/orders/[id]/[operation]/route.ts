import { joinRoutes, route } from '@/lib/auth/route';
import { createDisputeRoute } from '@/lib/orders/disputes/route';
import { linkCheckResponse, linkCheckView } from '@/lib/orders/link-checks/queries';
import { checkLinkNow } from '@/lib/orders/link-checks/run';
import { listMessagesRoute, postMessageRoute } from '@/lib/orders/messages/routes';
import { actAsSeller } from '@/lib/orders/order/authorize';
import { sellerChangeRoutes } from '@/lib/orders/order/change-routes';
import { orderIdParams, sellerOrderResponse } from '@/lib/orders/order/schemas';
import { sellerOrderView } from '@/lib/orders/order/seller-queries';
import { createStepRoutes } from '@/lib/orders/order/step-routes';
import {
  acceptOffer,
  askForExtension,
  declineOffer,
  deliverPlacement,
  releasePlacement,
} from '@/lib/orders/placements/fulfill';
import { declineBody, deliverBody, extensionBody, versionBody } from '@/lib/orders/placements/schemas';

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
  deliver: step(
    deliverBody,
    {
      summary: 'Delivers an order: the page with the link is online.',
      description: 'The page must be on the domain of the ordered site.',
      errors: ['not_found', 'conflict', 'unprocessable'],
    },
    (tx, actor, locked, { url }) => deliverPlacement(tx, actor, locked, { role: 'seller', url }),
  ),
  changes: sellerChangeRoutes,
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
