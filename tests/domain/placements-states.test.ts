import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db, type Executor } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { type PlacementState, placementStates, placements } from '@/db/schema/placements';
import { systemActor } from '@/lib/access/actor';
import { type PlacementAction, transitions } from '@/lib/orders/contract';
import { type LockedPlacement, lockPlacement } from '@/lib/orders/placements/lock';
import { settlePlacement } from '@/lib/orders/placements/review';
import { movePlacement } from '@/lib/orders/placements/transition';
import { makeOffer, type Offer } from '@/tests/factories/make-offer';
import { makeUser } from '@/tests/factories/make-user';

const withLink: Partial<Record<PlacementState, PlacementState>> = {
  delivered: 'delivered',
  in_revision: 'in_revision',
  disputed: 'disputed',
  approved: 'approved',
};

/** The table of the design, written down again: each action, the states it starts from, and where it leads. */
const table: Record<PlacementAction, Partial<Record<PlacementState, PlacementState>>> = {
  accepted: { offered: 'accepted' },
  declined: { offered: 'declined' },
  expired: { offered: 'expired' },
  cancelled: {
    offered: 'cancelled',
    accepted: 'cancelled',
    in_revision: 'cancelled',
    delivered: 'cancelled',
  },
  delivered: { accepted: 'delivered', in_revision: 'delivered' },
  revision_requested: { delivered: 'in_revision' },
  approved: { delivered: 'approved' },
  closed: { approved: 'closed' },
  taken_over: {
    offered: 'taken_over',
    accepted: 'taken_over',
    in_revision: 'taken_over',
    delivered: 'taken_over',
  },
  disputed: { delivered: 'disputed', in_revision: 'disputed', approved: 'disputed' },
  dispute_withdrawn: { disputed: 'in_revision' },
  settled: { disputed: 'settled', approved: 'settled' },
  lost: { approved: 'lost' },
  link_changed: withLink,
  link_broken: withLink,
  link_repaired: withLink,
  repair_due: withLink,
  proposal_made: { disputed: 'disputed' },
  extension_asked: { accepted: 'accepted', in_revision: 'in_revision' },
  extension_granted: { accepted: 'accepted', in_revision: 'in_revision' },
  extension_refused: { accepted: 'accepted', in_revision: 'in_revision' },
  guarantee_extended: { approved: 'approved' },
  released: { accepted: 'accepted', in_revision: 'in_revision' },
  reminded: { offered: 'offered', accepted: 'accepted', in_revision: 'in_revision' },
  became_late: { accepted: 'accepted', in_revision: 'in_revision' },
};

const statuses: Record<PlacementState, string> = {
  offered: 'Pending',
  accepted: 'Processing',
  delivered: 'Processing',
  in_revision: 'Processing',
  disputed: 'Processing',
  approved: 'Live',
  closed: 'Completed',
  lost: 'Live',
  settled: 'Live',
  declined: 'Refunded',
  expired: 'Refunded',
  cancelled: 'Refunded',
  taken_over: 'Pending',
};

class Undo extends Error {}

/** Runs work on a placement in a state, and undoes it. */
async function inState(
  { id }: Offer,
  state: PlacementState,
  work: (tx: Executor, locked: LockedPlacement) => Promise<void>,
): Promise<void> {
  await db()
    .transaction(async (tx) => {
      await tx
        .update(placements)
        .set({ state, deliveredUrl: 'https://example.com/page', deliveryDueAt: new Date() })
        .where(eq(placements.orderId, id));
      if (state === 'approved') {
        // All is payable, so that no step moves a share that was not posted.
        await tx
          .update(placements)
          .set({ approvedAt: new Date(), ripenedCents: sql`${placements.sellerCents}` })
          .where(eq(placements.orderId, id));
        await tx.update(orders).set({ status: 'Live' }).where(eq(orders.id, id));
      }
      await work(tx, await lockPlacement(tx, id));
      throw new Undo();
    })
    .catch((thrown: unknown) => {
      if (!(thrown instanceof Undo)) throw thrown;
    });
}

const step = (action: PlacementAction) => ({
  action,
  role: 'staff' as const,
  ...(action === 'dispute_withdrawn' && { to: 'in_revision' as const }),
  ...(action === 'settled' && { buyerPercent: 30 }),
});

describe('a step of a placement', () => {
  let made: Offer;
  const actor = systemActor('Test', 'script');
  beforeAll(async () => {
    made = await makeOffer(10_001);
  });

  const actions = Object.keys(transitions) as PlacementAction[];
  it.each(placementStates.flatMap((state) => actions.map((action) => [state, action] as const)))(
    'in the state %s: %s',
    async (state, action) => {
      await inState(made, state, async (tx, locked) => {
        const to = table[action][state];
        const moved = movePlacement(tx, actor, locked, step(action));
        if (to === undefined) {
          await expect(moved).rejects.toMatchObject({ code: 'conflict' });
          await expect(moved).rejects.toThrow(
            new RegExp(`^Order #${made.id} is ${state.replace('_', ' ')}: [^.]+\\.$`),
          );
          return;
        }
        const { order, placement } = await moved;
        expect(placement.state).toBe(to);
        if (to !== state) expect(order.status).toBe(statuses[to]);
        const [row] = await tx.select().from(placements).where(eq(placements.orderId, made.id));
        expect(row).toEqual({ ...placement, updatedAt: row?.updatedAt });
        const [orderRow] = await tx.select().from(orders).where(eq(orders.id, made.id));
        expect(orderRow).toEqual({ ...order, updatedAt: orderRow?.updatedAt });
      });
    },
  );

  it('gives the buyer the delivered address as live link at the approval, not before', async () => {
    await inState(made, 'accepted', async (tx, locked) => {
      const deliveredUrl = 'https://example.com/page';
      const delivered = await movePlacement(tx, actor, locked, { ...step('delivered'), set: { deliveredUrl } });
      expect(delivered.order.linkUrl).toBe('');
      const approved = await movePlacement(tx, actor, delivered, step('approved'));
      expect(approved.order.linkUrl).toBe(deliveredUrl);
      expect(approved.placement.approvedAt).not.toBeNull();
    });
  });

  it('settled with the whole charge for the buyer refunds the order', async () => {
    const admin = await makeUser('Admin');
    await inState(made, 'disputed', async (tx, locked) => {
      const settled = await settlePlacement(tx, admin, locked, {
        buyerPercent: 100,
        role: 'staff',
        outcome: 'decided',
      });
      expect(settled.order).toMatchObject({ status: 'Refunded', refundCount: 1, linkUrl: '' });
      expect(settled.placement).toMatchObject({ sellerReturnedCents: 5_000, marginReturnedCents: 5_001 });
    });
  });
});
