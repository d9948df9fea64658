import type { Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { acceptOffer, declineOffer } from './answer-offer';
import { cancelPlacement } from './cancel';
import { deliverPlacement } from './deliver';
import { answerExtension } from './extend';
import type { LockedPlacement } from './move';
import { approveDelivery } from './review';
import type { StaffPlacementInput } from './schemas';
import { takeOverPlacement } from './take-over';

/** Takes an action of staff on a placement. @throws AppError conflict in a state in which it is not possible */
export function takeStaffAction(
  tx: Executor,
  actor: Actor,
  locked: LockedPlacement,
  { action, url = '', reason }: StaffPlacementInput,
): Promise<LockedPlacement> {
  const role = 'staff';
  switch (action) {
    case 'accept':
      return acceptOffer(tx, actor, locked, { role });
    case 'decline':
      return declineOffer(tx, actor, locked, { role, reason });
    case 'deliver':
      return deliverPlacement(tx, actor, locked, { role, url });
    case 'approve':
      return approveDelivery(tx, actor, locked, { role });
    case 'cancel':
      return cancelPlacement(tx, actor, locked, { role, reason });
    case 'takeOver':
      return takeOverPlacement(tx, actor, locked, { reason });
    case 'grantExtension':
    case 'refuseExtension':
      return answerExtension(tx, actor, locked, { role, grant: action === 'grantExtension' });
  }
}
