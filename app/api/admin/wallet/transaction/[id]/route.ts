import { route } from '@/lib/http/route';
import { transactionIdParams } from '@/lib/wallet/admin-schemas';
import { deleteTransaction } from '@/lib/wallet/delete-transaction';

/** Answers whose balance changed. */
export const DELETE = route({ access: 'ManageWallets', params: transactionIdParams }, async ({ actor, params }) => {
  const { userId } = await deleteTransaction(actor, params.id);
  return { ok: true, user_id: userId };
});
