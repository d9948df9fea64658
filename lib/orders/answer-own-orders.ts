import type { z } from 'zod';
import type { Actor } from '../auth/actor';
import { listResponse } from '../http/list-response';
import { countOwnOrders, ownOrders } from './queries';
import type { ownOrdersQuery } from './schemas';
import { orderView } from './views';

/** Answers GET /api/orders. @throws AppError rate_limited for a long list without a limit */
export const answerOwnOrders = (actor: Actor, query: z.output<typeof ownOrdersQuery>) =>
  listResponse({
    caller: actor,
    limit: query.limit,
    rows: ownOrders(actor, query),
    count: (on) => countOwnOrders(actor, query, on),
    view: orderView,
  });
