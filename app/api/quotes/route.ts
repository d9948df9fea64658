import { route } from '@/lib/auth/route';
import { createQuote, createQuoteBody, quoteResponse } from '@/lib/orders/order/quotes';
import { maxOrderBytes } from '@/lib/orders/order/schemas';

export const POST = route(
  {
    access: 'account:orders',
    scope: 'orders:write',
    summary: 'Prices an order without placing it. The quote is valid for ten minutes.',
    description: 'Only the API token or session that requested a quote can place it: POST /api/quotes/{id}/place.',
    response: quoteResponse,
    status: 201,
    errors: ['not_found', 'conflict', 'duplicate_site', 'billing_incomplete', 'not_configured'],
    body: createQuoteBody,
    maxBodyBytes: maxOrderBytes,
  },
  ({ actor, body }) => createQuote(actor, body),
);
