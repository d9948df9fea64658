import { and, asc, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { paymentReversals } from '@/db/schema/topups';
import type { AnyActor } from '../../access/actor';
import { openProvider } from '../providers/open-provider';
import { isOutage, type ReversalEvidence } from '../providers/provider';
import type { Topup } from '../top-ups/find-topup';

import { reverseTopupIn } from './reverse';

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
  for (const { taking, backMinor } of matchReturnedDisputes(disputes, won, credits)) {
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

type CameBack = { taking: Reversal; backMinor: number };

/**
 * Which of the money that disputes of one payment took is back, by what the provider gave back for those that were won.
 * What was returned before is counted off first, so that one credit is never taken for two.
 * @param disputes every dispute row of the payment, oldest first
 * @param won those of them that ended well, each with its entry in `credits`
 * @param credits minor units given back in all; `all` where nothing of the payment is missing; null where nothing is said
 */
function matchReturnedDisputes(
  disputes: readonly Reversal[],
  won: readonly Reversal[],
  credits: readonly (number | 'all' | null)[],
): CameBack[] {
  const taken = disputes.filter(({ money }) => money === 'taken');
  if (credits.includes('all')) return taken.map((taking) => ({ taking, backMinor: taking.amountMinor }));
  const credited = won.map((ending, index) => ({ ending, minor: Number(credits[index] ?? 0) }));
  let left = credited.reduce((sum, { minor }) => sum + minor, 0) - returnedMinor(disputes);
  const open = taken.filter((taking) => credited.some(({ ending, minor }) => minor > 0 && isNotAfter(taking, ending)));
  const same = open.find(({ amountMinor }) => amountMinor === left);
  if (same) return [{ taking: same, backMinor: left }];
  const back: CameBack[] = [];
  for (const taking of open) {
    const backMinor = Math.min(taking.amountMinor, left);
    if (backMinor <= 0) break;
    back.push({ taking, backMinor });
    left -= backMinor;
  }
  return back;
}

/** A dispute gives back nothing that was taken after it ended. By the provider's clock: it tells in any order. */
const isNotAfter = (taking: Reversal, ending: Reversal): boolean =>
  taking.happenedAt === null || ending.happenedAt === null || taking.happenedAt <= ending.happenedAt;

/** What came back so far: a part that came back was booked as all, of which the rest was taken anew. */
function returnedMinor(disputes: readonly Reversal[]): number {
  let sum = 0;
  for (const one of disputes) {
    if (one.money === 'returned') sum += one.amountMinor;
    if (isRest(one)) sum -= one.amountMinor;
  }
  return sum;
}

/** How the row of what did not come back is named, after the taking it is the rest of. No provider's name ends so. */
const restSuffix = ':rest';

/** Is this what remained taken when a part came back? */
const isRest = ({ reference }: Pick<Reversal, 'reference'>): boolean => reference.endsWith(restSuffix);

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
