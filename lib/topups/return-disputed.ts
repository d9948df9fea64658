import { and, asc, eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { paymentReversals } from '../../db/schema/topups';
import type { AnyActor } from '../auth/actor';
import { openProvider } from '../payments/open-provider';
import { isOutage, type ReversalEvidence } from '../payments/provider';
import type { Topup } from './find-topup';
import { returnInPart } from './return-in-part';
import { whichCameBack } from './which-came-back';

type Reversal = typeof paymentReversals.$inferSelect;

/**
 * Returns what a provider took for disputes that were won, where it tells of that money under another name (PayPal). To
 * be called whenever anything was told of a dispute, in whatever order: the money and the endings find each other here.
 * What the provider does not say came back stays taken, and is shown to an admin.
 */
export async function returnDisputed(actor: AnyActor, topup: Topup, evidence: ReversalEvidence): Promise<void> {
  // Read before the provider is asked: what it says to be whole then can be only of these.
  const disputes = await disputesOf(topup.id, evidence.paymentReference);
  const won = disputes.filter(({ money, outcome }) => money === 'kept' && outcome === 'won');
  if (won.length === 0 || disputes.every(({ money }) => money !== 'taken')) return;
  const credits: (number | 'all' | null)[] = [];
  for (const one of won) credits.push(await givenBackFor(topup, one, evidence));
  for (const { taking, backMinor } of whichCameBack(disputes, won, credits)) {
    await returnInPart(actor, taking, backMinor);
  }
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
    )
    .orderBy(asc(paymentReversals.createdAt), asc(paymentReversals.id));

/** The money may be told after the ending, and the ending of one dispute after another's: so each is asked for. */
async function givenBackFor(topup: Topup, won: Reversal, evidence: ReversalEvidence): Promise<number | 'all' | null> {
  const told = evidence.reference === won.reference ? (evidence.givenBack ?? null) : null;
  try {
    const provider = await openProvider(topup.provider, topup.mode);
    return (await provider.findGivenBack?.(won)) ?? told;
  } catch (thrown) {
    // Refused: it is for a person. Silent: the notification comes again.
    if (isOutage(thrown)) throw thrown;
    return told;
  }
}
