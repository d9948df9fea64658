import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';

/** Returns the URL of a dispute in the provider's dashboard; null for WeChat Pay, which has no disputes. */
export function disputeDashboardUrl(dispute: {
  provider: PaymentProviderName;
  mode: ProviderMode;
  reference: string;
}): string | null {
  const id = encodeURIComponent(dispute.reference);
  const isLive = dispute.mode === 'live';
  switch (dispute.provider) {
    case 'stripe':
      return `https://dashboard.stripe.com/${isLive ? '' : 'test/'}disputes/${id}`;
    case 'paypal':
      return `https://www.${isLive ? '' : 'sandbox.'}paypal.com/resolutioncenter/view/${id}`;
    case 'wechat':
      return null;
  }
}

/**
 * Formats a provider's dispute reason for display: `product_not_received` and `MERCHANDISE_OR_SERVICE_NOT_RECEIVED`
 * become words.
 */
export function formatDisputeReason(reason: string | null): string {
  if (reason === null || reason === '') return 'no reason stated';
  return reason.toLowerCase().replaceAll('_', ' ');
}
