import { eq } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { paymentReversals, type topups } from '../../db/schema/topups';
import { recordAudit } from '../audit/record';
import type { AnyActor } from '../auth/actor';
import { formatMoney } from '../money';
import type { BookedPayment } from './find-payment';
import { coverExcess } from './reversal-postings';
import { countsAgainstCredit, reversalShare, sumTaken, takenOf } from './reversal-share';

type Topup = typeof topups.$inferSelect;
type Reversal = typeof paymentReversals.$inferSelect;
type Returned = { topup: Topup; payment: BookedPayment; returned: Reversal; others: readonly Reversal[] };

/**
 * A refund failed, or a dispute was won, and a later one was told before that: what the later one took beyond the
 * payment counts against it now, as if both had been told in their order.
 * @param others the refunds and disputes of the same payment without the one that came back
 */
export async function coverWithReturned(
  tx: Executor,
  actor: AnyActor,
  { topup, payment, returned, others }: Returned,
): Promise<void> {
  const taken = takenOf(topup, others);
  for (const [index, later] of taken.entries()) {
    if (later.excessMinor === 0 || !countsAgainstCredit(topup, payment, later)) continue;
    const { amountMinor, excessMinor, amountCents } = sumTaken(taken);
    const share = reversalShare(topup, { amountMinor: amountMinor - excessMinor, amountCents }, later.excessMinor);
    const freedMinor = later.excessMinor - share.excessMinor;
    if (freedMinor === 0) return;
    const changes = { amountCents: later.amountCents + share.amountCents, excessMinor: share.excessMinor };
    await tx.update(paymentReversals).set(changes).where(eq(paymentReversals.id, later.id));
    taken[index] = { ...later, ...changes };
    const covered = { cause: returned.reference, amountCents: share.amountCents, freedMinor };
    await coverExcess(tx, actor, { topup, payment, reversal: later }, covered);
    const part = formatMoney(freedMinor, later.currency);
    await recordAudit(tx, actor, {
      action: `topup.${later.kind === 'refund' ? 'refunded' : 'disputed'}`,
      details: `${part} of ${later.reference} counts against the top-up now that ${returned.reference} came back.`,
      entityType: 'topup',
      entityId: topup.id,
      amountCents: share.amountCents,
    });
  }
}
