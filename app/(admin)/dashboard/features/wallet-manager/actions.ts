'use server';

import { z } from 'zod';
import { action } from '@/lib/auth/action';
import { proveBooks } from '@/lib/ledger/prove-books';
import { collectReceivable } from '@/lib/ledger/receivables';
import { confirmReturn } from '@/lib/payments/reversals/withheld-returns';
import { acceptPayment } from '@/lib/payments/top-ups/accept-payment';
import { topupIdField } from '@/lib/payments/top-ups/schemas';
import { walletUserParams } from '@/lib/wallet/admin-schemas';

const access = 'ManageWallets';

/** "Prove the books". */
export const proveBooksAction = action({ access, input: z.object({}) }, (actor) => proveBooks(actor));

/** Credits a payment that was kept apart to its buyer, as it came. */
export const acceptPaymentAction = action(
  { access, recentAuthentication: true, input: z.object({ topupId: topupIdField }) },
  (actor, { topupId }) => acceptPayment(actor, topupId),
);

/** Takes what somebody owes from their wallet. */
export const collectReceivableAction = action({ access, input: walletUserParams }, (actor, { userId }) =>
  collectReceivable(actor, userId),
);

/** Returns what a won dispute took, on an admin's word that it is back at the provider. */
export const confirmReturnAction = action(
  { access, recentAuthentication: true, input: z.object({ reversalId: topupIdField }) },
  (actor, { reversalId }) => confirmReturn(actor, reversalId),
);
