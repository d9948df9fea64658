import { db } from '@/db/client';
import { getAccountContact } from '@/lib/access/accounts';
import { route } from '@/lib/auth/route';
import { recalculateWallet } from '@/lib/ledger/balance';
import { walletUserParams } from '@/lib/wallet/admin-schemas';
import { recalculationResponse, recalculationView } from '@/lib/wallet/contract';

/** Compares the stored balance with the ledger entries and corrects it if they differ. */
export const POST = route(
  {
    access: 'ManageWallets',
    summary: "Compares a wallet's stored balance with its transactions and corrects it.",
    response: recalculationResponse,
    errors: ['not_found', 'conflict'],
    params: walletUserParams,
  },
  async ({ actor, params }) => {
    const { id } = await getAccountContact(db(), params.userId);
    return recalculationView(id, await recalculateWallet(actor, id));
  },
);
