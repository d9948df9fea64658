import type { Actor } from '../auth/actor';
import { openProvider } from '../payments/open-provider';
import { askProvider } from './ask-provider';
import { findOwnTopup } from './find-own';
import { isForeign } from './mismatch';
import type { TopupReturn } from './schemas';
import { settleTopup } from './settle';
import { type TopupView, topupView } from './views';

/** `retryUrl`: the way to pay was declined at the provider, and there the buyer can choose another. */
export type ReturnedTopup = TopupView & { retryUrl?: string };

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
  const isDeclined = evidence.outcome !== 'paid' && evidence.isDeclined === true;
  return isDeclined && view.status === 'pending' && topup.checkoutUrl ? { ...view, retryUrl: topup.checkoutUrl } : view;
}
