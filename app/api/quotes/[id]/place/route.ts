import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { placeQuote, placeQuoteBody, quoteIdParams } from '@/lib/orders/order/quotes';
import { placesOrders, respondToOrder } from '@/lib/orders/requests/respond';

export const POST = route(
  {
    ...placesOrders,
    summary: 'Places the order of a quote, paid from the wallet. Refused when anything changed since the quote.',
    description: 'A repeat answers the same orders and orders nothing.',
    params: quoteIdParams,
    body: placeQuoteBody,
  },
  async ({ actor, params, body }) => {
    const created = await placeQuote(actor, params.id, body.expectedTotalCents);
    deliverAfterResponse();
    return respondToOrder(actor, created);
  },
);
