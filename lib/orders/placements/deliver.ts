import type { Executor } from '../../../db/client';
import type { Actor } from '../../access/actor';
import { AppError } from '../../errors';
import { getRegistrableDomain } from '../../network/registrable-domain';
import { type LockedPlacement, movePlacement, requireState } from './move';

type Delivery = { role: 'seller' | 'staff'; url: string; isIntermediate?: boolean };

/**
 * Delivers a placement: the page with the link is online. The buyer answers within the days of the rules.
 * @throws AppError conflict in another state; unprocessable for a page of a seller on another registrable domain than the
 * ordered site
 */
export async function deliverPlacement(
  tx: Executor,
  actor: Actor,
  locked: LockedPlacement,
  { role, url, isIntermediate }: Delivery,
): Promise<LockedPlacement> {
  requireState(locked, 'delivered');
  if (role === 'seller') requireSameDomain(url, locked.order.website);
  return movePlacement(tx, actor, locked, {
    action: 'delivered',
    role,
    note: url,
    isIntermediate,
    // The seller agreed to a cancellation instead of this delivery.
    set: { deliveredUrl: url, deliveredAt: locked.now, releasedAt: null },
  });
}

/** @throws AppError unprocessable */
function requireSameDomain(url: string, website: string): void {
  const domain = getRegistrableDomain(website);
  if (getRegistrableDomain(url) === domain) return;
  const message = `The page must be on ${domain}, the site that was ordered.`;
  throw new AppError('unprocessable', message, { fields: { url: message } });
}
