import type { Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { judgeUrl } from '@/lib/links/address-rules';
import { getRegistrableDomain } from '@/lib/network/registrable-domain';
import { type LockedPlacement, movePlacement, requireState } from './move';

type Delivery = { role: 'seller' | 'staff'; url: string; isIntermediate?: boolean };

/**
 * Delivers a placement: the page with the link is online. The buyer answers within the days of the rules.
 * @throws AppError conflict in another state; unprocessable for a page of a seller on another registrable domain than the
 * ordered site, and for one that link checks cannot request
 */
export async function deliverPlacement(
  tx: Executor,
  actor: Actor,
  locked: LockedPlacement,
  { role, url, isIntermediate }: Delivery,
): Promise<LockedPlacement> {
  requireState(locked, 'delivered');
  if (role === 'seller') {
    requireSameDomain(url, locked.order.website);
    requireCheckable(url);
  }
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
  throw invalidUrl(`The page must be on ${domain}, the site that was ordered.`);
}

/**
 * A page at another address would be unknown in each check: never approved by the clock, and never payable.
 * @throws AppError unprocessable
 */
function requireCheckable(url: string): void {
  const refusal = judgeUrl(url);
  // The name is that of the ordered site, which staff approved.
  if (typeof refusal !== 'string' || refusal === 'local_name') return;
  throw invalidUrl('Link checks cannot open this page: enter its public address, without a port or with 80 or 443.');
}

const invalidUrl = (message: string) => new AppError('unprocessable', message, { fields: { url: message } });
