import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { placeQuote, placeQuoteBody, quoteIdParams } from '@/lib/orders/order/quotes';
import { createdOrdersResponse } from '@/lib/orders/order/schemas';

export const POST = route(
  {
    access: 'account:orders',
    scope: 'orders:write',
    summary: 'Places the order of a quote, paid from the wallet. Refused when anything changed since the quote.',
    description: 'A repeat answers the same orders and orders nothing.',
    response: createdOrdersResponse,
    status: 201,
    errors: ['insufficient_funds', 'not_found', 'conflict', 'duplicate_site', 'billing_incomplete', 'not_configured'],
    params: quoteIdParams,
    body: placeQuoteBody,
  },
  async ({ actor, params, body }) => {
    const created = await placeQuote(actor, params.id, body.expectedTotalCents);
    deliverAfterResponse();
    return created;
  },
);
