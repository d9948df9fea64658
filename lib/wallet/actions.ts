'use server';

import { z } from 'zod';
import { getProofProgress } from '@/lib/audit/proof-requests';
import { action } from '@/lib/auth/action';
import { proveBooks, requestWholeProof } from '@/lib/ledger/prove-books';
import { collectReceivable } from '@/lib/ledger/receivables';
import { confirmReturn } from '@/lib/payments/reversals/return-disputed';
import { topupIdField } from '@/lib/payments/top-ups/contract';
import { acceptPayment } from '@/lib/payments/top-ups/suspended-payments';
import { walletUserParams } from './admin-schemas';

const access = 'ManageWallets';

/** Verifies what is new in the ledger. */
export const proveBooksAction = action({ access, input: z.object({}) }, (actor) => proveBooks(actor));

/** Requests a verification of the whole ledger, which a job runs. */
export const proveEverythingAction = action({ access, input: z.object({}) }, (actor) => requestWholeProof(actor));

/** Returns the progress of the requested verification in percent; null when it is done. */
export const getProofProgressAction = action({ access, isBackground: true, input: z.object({}) }, () =>
  getProofProgress('books'),
);

/** Credits a suspended payment to its buyer, with the amount received. */
export const acceptPaymentAction = action(
  { access, recentAuthentication: true, input: z.object({ topupId: topupIdField }) },
  (actor, { topupId }) => acceptPayment(actor, topupId),
);

/** Collects a user's debt from the wallet. */
export const collectReceivableAction = action({ access, input: walletUserParams }, (actor, { userId }) =>
  collectReceivable(actor, userId),
);

/** Credits the amount of a won dispute after an admin confirms that the provider returned it. */
export const confirmReturnAction = action(
  { access, recentAuthentication: true, input: z.object({ reversalId: topupIdField }) },
  (actor, { reversalId }) => confirmReturn(actor, reversalId),
);
