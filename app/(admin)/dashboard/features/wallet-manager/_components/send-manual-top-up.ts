import { ApiError, apiFetch } from '@/lib/http/client';
import { toDecimalString, walletCurrency } from '@/lib/money';

export type ManualTopUpFailure = {
  /** For the whole form. */
  message?: string;
  /** By field name. */
  fields?: Record<string, string>;
};

/**
 * @param key names this content: sent again with it, nothing more is credited
 * @returns what went wrong, or null
 */
export async function sendManualTopUp(
  { userId, amountCents, note }: { userId: string; amountCents: number; note: string },
  key: string,
): Promise<ManualTopUpFailure | null> {
  try {
    await apiFetch('/api/admin/wallet/topup', {
      method: 'POST',
      headers: { 'Idempotency-Key': key },
      body: { userId, amount: Number(toDecimalString(amountCents)), currency: walletCurrency, note },
    });
    return null;
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    if (Object.keys(cause.fields).length > 0) return { fields: cause.fields };
    return { message: cause.status === 404 ? cause.message : 'Top-up failed. Please try again.' };
  }
}
