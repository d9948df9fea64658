import type { Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { addDays } from './clocks';
import { type LockedPlacement, movePlacement, requireState } from './move';
import type { ExtensionInput } from './schemas';

/**
 * Asks the buyer for more days, once for each order.
 * @throws AppError conflict in another state and for a second request
 */
export async function askForExtension(
  tx: Executor,
  actor: Actor,
  locked: LockedPlacement,
  { days, reason }: Pick<ExtensionInput, 'days' | 'reason'>,
): Promise<LockedPlacement> {
  requireState(locked, 'extension_asked');
  const { placement, now } = locked;
  if (placement.extensionAskedAt !== null)
    throw new AppError('conflict', `More days were already requested for order #${placement.orderId}.`);
  return movePlacement(tx, actor, locked, {
    action: 'extension_asked',
    role: 'seller',
    reason,
    note: `${days}`,
    set: { extensionDays: days, extensionReason: reason, extensionAskedAt: now },
  });
}

/**
 * Grants or refuses the days for which the seller asked. Granted days move the due day.
 * @throws AppError conflict in another state, and without an open request
 */
export async function answerExtension(
  tx: Executor,
  actor: Actor,
  locked: LockedPlacement,
  { grant, role }: { grant: boolean; role: 'buyer' | 'staff' },
): Promise<LockedPlacement> {
  requireState(locked, grant ? 'extension_granted' : 'extension_refused');
  const { placement, now } = locked;
  const { extensionDays, deliveryDueAt } = placement;
  const isAnswered = placement.extensionGrantedAt !== null || placement.extensionRefusedAt !== null;
  if (extensionDays === null || deliveryDueAt === null || isAnswered) {
    const why = isAnswered ? 'was answered before' : 'does not exist';
    throw new AppError('conflict', `The request for more days for order #${placement.orderId} ${why}.`);
  }
  return movePlacement(tx, actor, locked, {
    action: grant ? 'extension_granted' : 'extension_refused',
    role,
    set: grant
      ? { extensionGrantedAt: now, deliveryDueAt: addDays(deliveryDueAt, extensionDays), remindedAt: null }
      : { extensionRefusedAt: now },
  });
}
