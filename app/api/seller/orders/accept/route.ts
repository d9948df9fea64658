import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { acceptOffers, answeredOffersResponse } from '@/lib/orders/order/answer-offers';
import { answerOrdersBody } from '@/lib/orders/order/answer-orders';

export const POST = route(
  {
    access: 'seller',
    summary: 'Accepts up to 100 offered orders.',
    description:
      'Each order is accepted or refused on its own: `results` has a line for each id, with `dueAt`, and one of another seller is `not_found`.',
    response: answeredOffersResponse,
    body: answerOrdersBody,
  },
  async ({ actor, body }) => {
    const outcome = await acceptOffers(actor, body);
    deliverAfterResponse();
    return outcome;
  },
);
