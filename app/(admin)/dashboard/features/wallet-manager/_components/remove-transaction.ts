import { ApiError, apiFetch } from '@/lib/browser/api-client';

/**
 * Deletes a transaction, then has its user's balance recalculated (spec 001, section 7).
 * @throws Error with the text to show
 */
export async function removeTransaction(id: string): Promise<void> {
  try {
    const { user_id: userId } = await apiFetch<{ user_id: string }>(`/api/admin/wallet/transaction/${id}`, {
      method: 'DELETE',
    });
    await apiFetch(`/api/admin/wallet/recalc/${userId}`, { method: 'POST' });
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    throw new Error(cause.message || 'Delete failed. Please try again.');
  }
}
