import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { changePayout, movePayout, payoutNotFoundError } from './move-payout';
import type { Payout } from './postings';

/**
 * Withdraws a request of the seller before its approval. The amount returns to the balance.
 * @throws AppError not_found, also for a payout of another seller, conflict after the approval
 */
export const withdrawPayout = (actor: Actor, id: string, version?: number): Promise<Payout> =>
  changePayout(id, async (tx, payout) => {
    if (payout.sellerId !== actor.userId) throw payoutNotFoundError();
    requireVersion(payout, version, 'This payout');
    if (payout.state !== 'requested') {
      throw new AppError(
        'conflict',
        payout.state === 'approved'
          ? 'This payout was approved and can no longer be withdrawn.'
          : `This payout is ${payout.state} and cannot be withdrawn.`,
      );
    }
    return movePayout(tx, actor, payout, { to: 'withdrawn', what: 'was withdrawn by the seller' });
  });
