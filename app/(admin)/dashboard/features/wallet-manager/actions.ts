'use server';

import { z } from 'zod';
import { action } from '@/lib/http/action';
import { acceptPayment } from '@/lib/topups/accept-payment';
import { confirmReturn } from '@/lib/topups/confirm-return';
import { topupIdField } from '@/lib/topups/schemas';
import { walletUserParams } from '@/lib/wallet/admin-schemas';
import { collectReceivable } from '@/lib/wallet/collect-receivable';
import { proveBooks } from '@/lib/wallet/prove-books';

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
