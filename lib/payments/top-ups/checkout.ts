import type { Actor } from '@/lib/access/actor';
import { getActiveModes } from '@/lib/payments/config/config';
import { openProviderOf } from '@/lib/payments/providers/open-provider';
import type { CollectionRefusal, PaymentProvider } from '@/lib/payments/providers/provider';
import { type TopupReturn, type TopupView, topupView } from './contract';
import { isOtherCheckout } from './payment-issues';
import { requireOwnTopup, type Topup } from './queries';
import { settleTopup } from './settle';

type TopupCheckout = Pick<Topup, 'provider' | 'mode' | 'status' | 'checkoutUrl'>;

/**
 * Retrieves a top-up's checkout from its provider. An approved payment is collected only in the active mode, because
 * money of another mode could not be credited. A payment that the provider refused permanently is not collected again,
 * because the buyer was informed that nothing was charged.
 * @param opened a provider that the caller has opened
 * @throws AppError not_configured; ProviderError when the provider does not respond
 */
export async function retrieveCheckout(topup: TopupCheckout, reference: string, opened?: PaymentProvider) {
  const provider = await openProviderOf(topup, opened);
  const isRefused = topup.status === 'failed' && topup.checkoutUrl !== null;
  if (isRefused || !(await isActiveMode(topup))) return provider.findCheckout(reference);
  return provider.retrieveCheckout(reference);
}

/**
 * Closes an unpaid checkout and returns its state afterwards. Closing collects an approved payment, so an approved
 * checkout of an inactive mode is left to expire; nothing is charged then.
 * @throws AppError not_configured; ProviderError when the provider does not respond
 */
export async function cancelCheckout(topup: TopupCheckout, reference: string, opened?: PaymentProvider) {
  const provider = await openProviderOf(topup, opened);
  if (!(await isActiveMode(topup))) {
    const found = await provider.findCheckout(reference);
    if (found.outcome !== 'paid' && found.isCollectable) return found;
  }
  return provider.cancelCheckout(reference);
}

const isActiveMode = async ({ provider, mode }: Pick<Topup, 'provider' | 'mode'>): Promise<boolean> =>
  (await getActiveModes()).get(provider) === mode;

export type ReturnedTopup = TopupView & {
  /** The provider's page where the buyer continues the same top-up. */
  payerActionUrl?: string;
  /** Why the provider did not collect the approved payment. */
  refusal?: CollectionRefusal['kind'];
};

/**
 * Settles a top-up when the buyer returns from paying, so that the credit does not wait for the webhook.
 * @param reference the provider's reference from the URL. It is used only when the provider's response was never
 * stored, and only if the provider states that it belongs to this top-up: retrieving another top-up's checkout must not
 * collect its payment.
 * @throws AppError not_found for another user's top-up, provider_failed when the provider does not respond
 */
export async function settleReturn(actor: Actor, { topupId, reference }: TopupReturn): Promise<ReturnedTopup> {
  const topup = await requireOwnTopup(actor, topupId);
  const known = topup.providerReference ?? reference;
  // After the credit, refunds and disputes arrive by webhook.
  if (topup.paymentReference !== null || known === null) return topupView(topup);
  const provider = await openProviderOf(topup);
  if (topup.providerReference === null && isOtherCheckout(topup, await provider.findCheckout(known)))
    return topupView(topup);
  const evidence = await retrieveCheckout(topup, known, provider);
  const view = topupView(await settleTopup(actor, topup.id, evidence));
  if (evidence.outcome !== view.status || evidence.outcome === 'paid') return view;
  const kind = evidence.refusal?.kind;
  // Without a link in the response, the page of the original checkout is used.
  const url = evidence.payerActionUrl ?? (kind === 'payer_action' ? topup.checkoutUrl : null);
  return { ...view, ...(url && { payerActionUrl: url }), ...(kind && { refusal: kind }) };
}

/**
 * Closes the checkout at the provider when the buyer returns without paying, so that it cannot be paid by mistake in
 * another tab and no pending row stays in the wallet. A payment is still credited if one arrives.
 * @throws AppError not_found for another user's top-up, provider_failed when the provider does not respond
 */
export async function cancelTopup(actor: Actor, topupId: string): Promise<TopupView> {
  const topup = await requireOwnTopup(actor, topupId);
  const isOpen = topup.status === 'created' || topup.status === 'pending';
  if (!isOpen || topup.providerReference === null) return topupView(topup);
  const evidence = await cancelCheckout(topup, topup.providerReference);
  const outcome = evidence.outcome === 'expired' ? { ...evidence, outcome: 'cancelled' as const } : evidence;
  return topupView(await settleTopup(actor, topup.id, outcome));
}
