import type { Actor } from '../auth/actor';
import { closeCheckout } from './ask-provider';
import { findOwnTopup } from './find-own';
import { settleTopup } from './settle';
import { type TopupView, topupView } from './views';

/**
 * The buyer came back without paying: closes the checkout at the provider, so that it cannot be paid by mistake in
 * another tab and no pending line stays in the wallet. Should it be paid after all, it is credited.
 * @throws AppError not_found for another's top-up, provider_failed when the provider does not answer
 */
export async function cancelTopup(actor: Actor, topupId: string): Promise<TopupView> {
  const topup = await findOwnTopup(actor, topupId);
  const isOpen = topup.status === 'created' || topup.status === 'pending';
  if (!isOpen || topup.providerReference === null) return topupView(topup);
  const evidence = await closeCheckout(topup, topup.providerReference);
  const outcome = evidence.outcome === 'expired' ? { ...evidence, outcome: 'cancelled' as const } : evidence;
  return topupView(await settleTopup(actor, topup.id, outcome));
}
