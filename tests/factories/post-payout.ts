import { db } from '@/db/client';
import { type PayoutState, payoutMethods, payouts } from '@/db/schema/payouts';
import { newId } from '@/lib/ids';
import { postTransfers } from '@/lib/ledger/post-transfer';
import { type Payout, paidPostings, requestPosting, returnPostings } from '@/lib/payouts/postings';

type Options = { amountCents: number; feeCents?: number };

/** Inserts a payout of a seller in a state, to a payout method by agreement, and moves the money of the steps to it. */
export async function postPayout(
  sellerId: string,
  state: PayoutState,
  { amountCents, feeCents = 0 }: Options,
): Promise<Payout> {
  const methodId = newId();
  await db().insert(payoutMethods).values({
    id: methodId,
    sellerId,
    kind: 'agreement',
    sealedDetails: '',
    usableAt: new Date(),
    replacedAt: new Date(),
  });
  const now = new Date();
  const [payout] = await db()
    .insert(payouts)
    .values({
      id: newId(),
      ...{ sellerId, methodId, methodKind: 'agreement', state, amountCents, feeCents },
      ...((state === 'paid' || state === 'returned') && { paidAt: now }),
      ...((state === 'failed' || state === 'returned' || state === 'withdrawn') && { endedAt: now }),
    })
    .returning();
  if (!payout) throw new Error('The payout was not inserted.');
  const wasPaid = state === 'paid' || state === 'returned';
  await postTransfers(db(), [
    requestPosting(payout, null),
    ...(wasPaid ? paidPostings(payout, null) : []),
    ...(state === 'failed' || state === 'withdrawn' || state === 'returned'
      ? returnPostings(payout, null, wasPaid)
      : []),
  ]);
  return payout;
}
