import { db } from '../../db/client';
import type { paymentReversals } from '../../db/schema/topups';
import type { AnyActor } from '../auth/actor';
import type { ReversalEvidence } from '../payments/provider';
import { reverseTopupIn } from './reverse';

type Reversal = typeof paymentReversals.$inferSelect;

/** How the row of what did not come back is named, after the taking it is the rest of. No provider's name ends so. */
const restSuffix = ':rest';

/** Is this what remained taken when a part came back? */
export const isRest = ({ reference }: Pick<Reversal, 'reference'>): boolean => reference.endsWith(restSuffix);

/**
 * What a won dispute took is back, all or part of it. Transfers never change, so a part is booked as the whole given back
 * and the rest taken anew, in one transaction; done before, it changes nothing.
 * @param taking as it stood when the part was found
 * @param backMinor minor units of its currency, at most its amount
 */
export async function returnInPart(actor: AnyActor, taking: Reversal, backMinor: number): Promise<void> {
  const { topupId, kind, reference, paymentReference, mode, amountMinor, currency } = taking;
  const evidence: ReversalEvidence = {
    about: 'reversal',
    ...{ topupId, kind, reference, paymentReference, mode, amountMinor, currency },
    money: 'returned',
    outcome: 'won',
  };
  await db().transaction(async (tx) => {
    const isNews = await reverseTopupIn(tx, actor, topupId, evidence);
    if (!isNews || backMinor >= amountMinor) return;
    await reverseTopupIn(tx, actor, topupId, {
      ...evidence,
      reference: `${reference}${restSuffix}`,
      amountMinor: amountMinor - backMinor,
      money: 'taken',
      ...(taking.happenedAt && { happenedAt: taking.happenedAt }),
    });
  });
}
