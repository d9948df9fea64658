import { route } from '@/lib/auth/route';
import { transactionIdParams } from '@/lib/wallet/admin-schemas';
import { deletedTransactionResponse } from '@/lib/wallet/contract';
import { deleteTransaction } from '@/lib/wallet/delete-transaction';

/** Returns the user whose balance changed. */
export const DELETE = route(
  {
    access: 'ManageWallets',
    summary: 'Reverses a manual top-up.',
    response: deletedTransactionResponse,
    errors: ['not_found', 'conflict'],
    params: transactionIdParams,
  },
  async ({ actor, params }) => {
    const { userId } = await deleteTransaction(actor, params.id);
    return { ok: true as const, user_id: userId };
  },
);
