import type { Actor } from '../../access/actor';
import { openProvider } from '../providers/open-provider';
import type { CollectionRefusal } from '../providers/provider';
import { askProvider, closeCheckout } from './ask-provider';
import { findOwnTopup } from './find-topup';
import { isForeign } from './mismatch';
import type { TopupReturn } from './schemas';
import { settleTopup } from './settle';
import { type TopupView, topupView } from './views';

export type ReturnedTopup = TopupView & {
  /** The provider's page on which the buyer goes on with the same top-up. */
  payerActionUrl?: string;
  /** Why the provider did not collect what the buyer agreed to pay. */
  refusal?: CollectionRefusal['kind'];
};

/**
 * The buyer is back from paying: asks the provider and settles, so that the credit does not wait for the webhook.
 * @param reference the provider's, from the address; it counts only where its answer to us was lost, and only if the
 * provider says that it belongs to this top-up: asking for another's must not collect its money
 * @throws AppError not_found for another's top-up, provider_failed when the provider does not answer
 */
export async function settleReturn(actor: Actor, { topupId, reference }: TopupReturn): Promise<ReturnedTopup> {
  const topup = await findOwnTopup(actor, topupId);
  const known = topup.providerReference ?? reference;
  // Once credited, what happens at the provider (a refund, a dispute) comes by webhook.
  if (topup.paymentReference !== null || known === null) return topupView(topup);
  if (topup.providerReference === null) {
    const provider = await openProvider(topup.provider, topup.mode);
    if (isForeign(topup, await provider.findCheckout(known))) return topupView(topup);
  }
  const evidence = await askProvider(topup, known);
  const view = topupView(await settleTopup(actor, topup.id, evidence));
  if (evidence.outcome !== view.status || evidence.outcome === 'paid') return view;
  const kind = evidence.refusal?.kind;
  // An answer without its link: the page where the checkout began leads on as well.
  const url = evidence.payerActionUrl ?? (kind === 'payer_action' ? topup.checkoutUrl : null);
  return { ...view, ...(url && { payerActionUrl: url }), ...(kind && { refusal: kind }) };
}

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
