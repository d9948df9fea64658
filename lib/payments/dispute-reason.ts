/**
 * A provider's word for why a payment is disputed, as a person reads it: `product_not_received` and
 * `MERCHANDISE_OR_SERVICE_NOT_RECEIVED` become words.
 */
export function disputeReason(reason: string | null): string {
  if (reason === null || reason === '') return 'no reason stated';
  return reason.toLowerCase().replaceAll('_', ' ');
}
