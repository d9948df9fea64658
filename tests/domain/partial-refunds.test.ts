import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import type { PlacementState } from '@/db/schema/placements';
import { getNetPaidCents } from '@/lib/orders/update';
import { makePlacement } from '../factories/make-placement';

type Case = [PlacementState, Parameters<typeof makePlacement>[1], number];

describe('what the buyer has paid for an order', () => {
  it.each<Case>([
    ['offered', {}, 1_000],
    ['declined', {}, 0],
    ['approved', {}, 1_000],
    ['taken_over', {}, 1_000],
    ['settled', { buyerPercent: 25 }, 750],
    ['settled', { buyerPercent: 25, isApproved: true }, 750],
    ['settled', { buyerPercent: 100, isApproved: true }, 0],
  ])('with a placement that is %s %o is %i cents', async (state, options, expected) => {
    const { id } = await makePlacement(state, options);
    expect(await getNetPaidCents(db(), id)).toBe(expected);
  });
});
