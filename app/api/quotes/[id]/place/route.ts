import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { placeQuote, placeQuoteBody, quoteIdParams } from '@/lib/orders/order/quotes';
import { createdOrdersResponse } from '@/lib/orders/order/schemas';
import { heldOrder } from '@/lib/orders/requests/contract';
import { respondToOrder } from '@/lib/orders/requests/respond';

export const POST = route(
  {
    access: 'account:orders',
    scope: 'orders:write',
    summary: 'Places the order of a quote, paid from the wallet. Refused when anything changed since the quote.',
    description: 'A repeat answers the same orders and orders nothing.',
    response: createdOrdersResponse,
    status: 201,
    holds: heldOrder,
    errors: [
      'insufficient_funds',
      'not_found',
      'conflict',
      'duplicate_site',
      'billing_incomplete',
      'policy',
      'not_configured',
    ],
    params: quoteIdParams,
    body: placeQuoteBody,
  },
  async ({ actor, params, body }) => {
    const created = await placeQuote(actor, params.id, body.expectedTotalCents);
    deliverAfterResponse();
    return respondToOrder(actor, created);
  },
);
