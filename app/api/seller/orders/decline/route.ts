import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { answeredOffersResponse, declineOffers, declineOffersBody } from '@/lib/orders/order/answer-offers';

export const POST = route(
  {
    access: 'seller',
    summary: 'Declines up to 100 offered orders: their charges return to the buyers.',
    description:
      'Each order is declined or refused on its own: `results` has a line for each id, and one of another seller is `not_found`.',
    response: answeredOffersResponse,
    body: declineOffersBody,
  },
  async ({ actor, body }) => {
    const outcome = await declineOffers(actor, body);
    deliverAfterResponse();
    return outcome;
  },
);
