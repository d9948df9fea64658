import type { z } from 'zod';
import type { Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { route } from '@/lib/auth/route';
import type { ErrorCode } from '@/lib/errors';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import type { LockedPlacement } from '@/lib/orders/placements/lock';
import type { HandlerResult } from '@/lib/platform/http/route-metadata';
import { orderIdParams } from './schemas';

type Versioned = { version?: number | undefined };

/** Who makes a step, and how the order is returned to them. */
type StepSide<Order, Response extends z.ZodType> = {
  access: 'account:orders' | 'seller';
  scope?: 'orders:write';
  response: Response;
  act: (
    actor: Actor,
    id: number,
    input: Versioned,
    change: (tx: Executor, locked: LockedPlacement) => Promise<unknown>,
  ) => Promise<Order>;
  view: (order: Order) => HandlerResult<Response>;
};

/** Creates the function that declares a step of a side: it changes the placement and returns the order. */
export const createStepRoutes =
  <Order, Response extends z.ZodType>({ act, view, ...side }: StepSide<Order, Response>) =>
  <Body extends z.ZodType<Versioned>>(
    body: Body,
    declared: { summary: string; description?: string; errors?: readonly ErrorCode[] },
    change: (tx: Executor, actor: Actor, locked: LockedPlacement, input: z.output<Body>) => Promise<unknown>,
  ) => ({
    POST: route(
      { ...side, params: orderIdParams, errors: ['not_found', 'conflict'], ...declared, body },
      async ({ actor, params, body: input }) => {
        const order = await act(actor, params.id, input, (tx, locked) => change(tx, actor, locked, input));
        deliverAfterResponse();
        return view(order);
      },
    ),
  });
