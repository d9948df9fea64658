import { and, eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { paymentReversals } from '../../db/schema/topups';
import type { AnyActor } from '../auth/actor';
import { openProvider } from '../payments/open-provider';
import { isOutage, type ReversalEvidence } from '../payments/provider';
import type { Topup } from './find-topup';
import { reverseTopup } from './reverse';

type Reversal = typeof paymentReversals.$inferSelect;

/**
 * Returns what a provider took for a dispute that was won, where it tells of that money under another name (PayPal). To
 * be called whenever anything was told of a dispute, in whatever order: the money and the ending find each other here.
 * What the provider does not say came back stays taken, and is shown to an admin.
 */
export async function returnDisputed(actor: AnyActor, topup: Topup, evidence: ReversalEvidence): Promise<void> {
  const disputes = await disputesOf(topup.id, evidence.paymentReference);
  const taken = disputes.filter(({ money }) => money === 'taken');
  const won = disputes.find(({ money, outcome }) => money === 'kept' && outcome === 'won');
  if (taken.length === 0 || !won) return;
  for (const one of whichCameBack(taken, await givenBackFor(topup, won, evidence))) {
    await reverseTopup(actor, topup.id, returnOf(one));
  }
}

/** The evidence that what a dispute took is back. */
export function returnOf({ topupId, kind, reference, paymentReference, mode, amountMinor, currency }: Reversal) {
  const back = { money: 'returned', outcome: 'won' } as const;
  const evidence: ReversalEvidence = {
    about: 'reversal',
    ...{ topupId, kind, reference, paymentReference, mode, amountMinor, currency },
    ...back,
  };
  return evidence;
}

const disputesOf = (topupId: string, paymentReference: string) =>
  db()
    .select()
    .from(paymentReversals)
    .where(
      and(
        eq(paymentReversals.topupId, topupId),
        eq(paymentReversals.paymentReference, paymentReference),
        eq(paymentReversals.kind, 'dispute'),
      ),
    );

/** The money may be told after the ending: then the ending is asked for again. */
async function givenBackFor(topup: Topup, won: Reversal, evidence: ReversalEvidence): Promise<number | 'all' | null> {
  if (evidence.reference === won.reference) return evidence.givenBack ?? null;
  try {
    const provider = await openProvider(topup.provider, topup.mode);
    return (await provider.findDispute?.(won.reference))?.givenBack ?? null;
  } catch (thrown) {
    // Refused, as to an account that may not read disputes: it is for a person. Silent: the notification comes again.
    if (isOutage(thrown)) throw thrown;
    return null;
  }
}

/** All, the one of just this amount, or those that come to it together; otherwise none is known to be. */
function whichCameBack(taken: readonly Reversal[], givenBack: number | 'all' | null): readonly Reversal[] {
  if (givenBack === null) return [];
  const sum = taken.reduce((total, { amountMinor }) => total + amountMinor, 0);
  if (givenBack === 'all' || givenBack === sum) return taken;
  const [same, ...others] = taken.filter(({ amountMinor }) => amountMinor === givenBack);
  return same && others.length === 0 ? [same] : [];
}
