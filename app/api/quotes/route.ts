import { route } from '@/lib/auth/route';
import { createQuote } from '@/lib/orders/quotes/create';
import { createQuoteBody, quoteResponse } from '@/lib/orders/quotes/schemas';
import { maxOrderBytes } from '@/lib/orders/schemas';

export const POST = route(
  {
    access: 'session',
    scope: 'orders:write',
    summary: 'Prices an order without placing it. The quote is valid for ten minutes.',
    description: 'Only the API token or session that requested a quote can place it: POST /api/quotes/{id}/place.',
    response: quoteResponse,
    status: 201,
    errors: ['not_found', 'conflict', 'not_configured'],
    body: createQuoteBody,
    maxBodyBytes: maxOrderBytes,
  },
  ({ actor, body }) => createQuote(actor, body),
);
