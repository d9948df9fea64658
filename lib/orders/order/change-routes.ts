import 'server-only';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { route } from '@/lib/auth/route';
import type { ErrorCode } from '@/lib/errors';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import {
  acceptChange,
  acceptPrice,
  declineChange,
  repriceChange,
  withdrawChange,
} from '@/lib/orders/placements/changes/answer';
import { approveChange } from '@/lib/orders/placements/changes/approve';
import { askForChange } from '@/lib/orders/placements/changes/ask';
import {
  type ApproveChangeInput,
  approveChangeBody,
  askBody,
  type Change,
  changeResponse,
  changesResponse,
  changeVersionBody,
  declineChangeBody,
  deliverChangeBody,
  repriceBody,
  sellerChangeResponse,
  sellerChangesResponse,
  sellerChangeView,
} from '@/lib/orders/placements/changes/contract';
import { deliverChange } from '@/lib/orders/placements/changes/deliver';
import { type LockedChange, lockChange } from '@/lib/orders/placements/changes/move';
import { listChanges, offerChange, viewChange, viewChanges } from '@/lib/orders/placements/changes/queries';
import { lockPlacement } from '@/lib/orders/placements/lock';
import { withTopUpUrl } from '@/lib/orders/shortage';
import { getOrder } from './queries';
import { orderIdParams } from './schemas';
import { getSellerOrder } from './seller-queries';

const changeParams = orderIdParams.extend({ changeId: z.string().max(64).describe('The id of the change.') });
type Request = { orderId: number; changeId: string; version?: number | undefined };
type Declared = { summary: string; description?: string; errors?: readonly ErrorCode[] };
type Versioned = { version?: number | undefined };

/** Changes a locked change of the actor's own side, in a transaction. */
const withChange =
  <Input>(
    side: 'buyer' | 'seller',
    verb: (tx: Executor, actor: Actor, locked: LockedChange, input: Input) => Promise<Change>,
  ) =>
  (actor: Actor, request: Request, input: Input): Promise<Change> =>
    db().transaction(async (tx) =>
      verb(
        tx,
        actor,
        await lockChange(tx, request, side === 'buyer' ? { buyer: actor } : { sellerId: actor.userId }),
        input,
      ),
    );

/** Declares a step of the buyer. */
const buyerStep = <Body extends z.ZodType<Versioned>>(
  body: Body,
  declared: Declared,
  verb: (tx: Executor, actor: Actor, locked: LockedChange, input: z.output<Body>) => Promise<Change>,
) =>
  route(
    {
      ...{ access: 'account:orders', scope: 'orders:write', params: changeParams },
      ...{ response: changeResponse, errors: ['not_found', 'conflict'], ...declared, body },
    },
    async ({ actor, params: { id: orderId, changeId }, body: input }) => {
      const { version } = input;
      const change = await withTopUpUrl(actor, () =>
        withChange('buyer', verb)(actor, { orderId, changeId, version }, input),
      );
      deliverAfterResponse();
      return viewChange(change);
    },
  );

/** Declares a step of the seller. */
const sellerStep = <Body extends z.ZodType<Versioned>>(
  body: Body,
  declared: Declared,
  verb: (actor: Actor, request: Request, input: z.output<Body>) => Promise<Change>,
) =>
  route(
    {
      ...{ access: 'seller', params: changeParams, response: sellerChangeResponse },
      ...{ errors: ['not_found', 'conflict'], ...declared, body },
    },
    async ({ actor, params: { id: orderId, changeId }, body: input }) => {
      const { version } = input;
      const change = await verb(actor, { orderId, changeId, version }, input);
      deliverAfterResponse();
      return sellerChangeView(change);
    },
  );

/** The list of an order's changes and the request of another, for the buyer. */
export const buyerChangeRoutes = {
  GET: route(
    {
      access: 'account:orders',
      params: orderIdParams,
      summary: "Lists the paid changes of the caller's own order, and what another one costs.",
      response: changesResponse,
      errors: ['not_found'],
    },
    async ({ actor, params: { id } }) => {
      const order = await getOrder(actor, id);
      const [offer, changes] = await Promise.all([offerChange(order), listChanges(id)]);
      return { ...offer, changes: await viewChanges(changes) };
    },
  ),
  POST: route(
    {
      access: 'account:orders',
      scope: 'orders:write',
      params: orderIdParams,
      summary: 'Asks the seller for a paid change of a published article.',
      description:
        'The price and its tax are paid when the seller accepts, and count against the daily limit of an API token now. An order has one open change at most.',
      response: changeResponse,
      status: 201,
      errors: ['not_found', 'conflict', 'billing_incomplete'],
      body: askBody,
    },
    async ({ actor, params: { id }, body }) => {
      const change = await db().transaction(async (tx) =>
        askForChange(tx, actor, await lockPlacement(tx, id, { buyer: actor }), body),
      );
      deliverAfterResponse();
      return viewChange(change);
    },
  ),
};

/** The steps of the buyer with a change. */
export const approveChangeRoute = buyerStep(
  approveChangeBody,
  {
    summary: 'Agrees to the price that the seller named, or approves a delivered change.',
    description:
      'Agreeing to a price pays it with its tax, and counts against the daily limit of an API token. The approval changes the brief: the link is then checked against it.',
    errors: ['not_found', 'conflict', 'insufficient_funds', 'billing_incomplete'],
  },
  (tx, actor, locked, { shownTotalCents }: ApproveChangeInput) =>
    locked.change.state === 'priced'
      ? acceptPrice(tx, actor, locked, shownTotalCents)
      : approveChange(tx, actor, locked, 'buyer'),
);
export const withdrawChangeRoute = buyerStep(
  changeVersionBody,
  {
    summary: 'Withdraws a change; what was paid returns to the wallet.',
    description: 'Possible before its acceptance, and after its delivery while a check does not find the link.',
  },
  withdrawChange,
);

/** The list of an order's changes, for the seller. */
export const sellerChangeRoutes = {
  GET: route(
    {
      access: 'seller',
      params: orderIdParams,
      summary: 'Lists the paid changes that the buyer of an order asked for.',
      response: sellerChangesResponse,
      errors: ['not_found'],
    },
    async ({ actor, params: { id } }) => {
      await getSellerOrder(actor, id);
      return { changes: (await listChanges(id)).map(sellerChangeView) };
    },
  ),
};

/** The steps of the seller with a change. */
export const acceptChangeRoute = sellerStep(
  changeVersionBody,
  {
    summary: 'Accepts a change at its price, which the buyer then pays.',
    description:
      "409 if the buyer's wallet does not cover the price: the buyer is told, and nothing changes. Answers the state `priced` if what the buyer pays rose in the meantime: the buyer then has to agree first.",
  },
  acceptChange,
);
export const repriceChangeRoute = sellerStep(
  repriceBody,
  { summary: 'Names another price for a change, to which the buyer has to agree.' },
  withChange('seller', repriceChange),
);
export const declineChangeRoute = sellerStep(
  declineChangeBody,
  { summary: 'Declines a change; what was paid returns to the buyer.' },
  withChange('seller', (tx, actor, locked, { reason }) => declineChange(tx, actor, locked, reason)),
);
export const deliverChangeRoute = sellerStep(
  deliverChangeBody,
  {
    summary: 'Delivers a change: the page has it, and is checked first.',
    errors: ['not_found', 'conflict', 'link_not_in_order', 'rate_limited'],
  },
  (actor, request, { reason }) => deliverChange(actor, { ...request, reason }),
);
