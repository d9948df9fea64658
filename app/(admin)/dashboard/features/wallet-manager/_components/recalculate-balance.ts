import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { formatMoney, walletCurrency } from '@/lib/money';
import type { RecalculationView } from '@/lib/wallet/admin-views';

const money = (cents: number) => formatMoney(cents, walletCurrency);

/**
 * Has a wallet's balance recomputed from its transactions (POST /api/admin/wallet/recalc/{userId}).
 * @param who whose wallet it is, for the text
 * @returns whether the stored balance was right, and what to tell
 * @throws Error with the text to show
 */
export async function recalculateBalance(userId: string, who: string): Promise<{ isGood: boolean; text: string }> {
  try {
    const answer = await apiFetch<RecalculationView>(`/api/admin/wallet/recalc/${userId}`, { method: 'POST' });
    const { balance_cents: balance, stored_cents: stored, difference_cents: difference } = answer;
    const isGood = difference === 0;
    const text = isGood
      ? `The balance of ${who} is right: ${money(balance)}.`
      : `The balance of ${who} was stored as ${money(stored)}; the transactions make ${money(balance)}, and so it is now. Prove the books to see whether more is wrong.`;
    return { isGood, text };
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    throw new Error(cause.message || 'Recalculation failed. Please try again.');
  }
}
