import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { toDecimalString, walletCurrency } from '@/lib/money';

export type ManualTopUpFailure = {
  /** For the whole form. */
  message?: string;
  /** By field name. */
  fields?: Record<string, string>;
};

/**
 * @param key names this content: sent again with it, nothing more is credited
 * @returns what went wrong; otherwise whether it waits for a second person
 */
export async function sendManualTopUp(
  { userId, amountCents, note }: { userId: string; amountCents: number; note: string },
  key: string,
): Promise<{ failure: ManualTopUpFailure } | { isPending: boolean }> {
  try {
    const { status } = await apiFetch<{ status: string }>('/api/admin/wallet/topup', {
      method: 'POST',
      headers: { 'Idempotency-Key': key },
      body: { userId, amount: Number(toDecimalString(amountCents)), currency: walletCurrency, note },
    });
    return { isPending: status === 'Pending' };
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    if (Object.keys(cause.fields).length > 0) return { failure: { fields: cause.fields } };
    const isReason = [403, 404, 409].includes(cause.status);
    return { failure: { message: isReason ? cause.message : 'Top-up failed. Please try again.' } };
  }
}
