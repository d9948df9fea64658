import { eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { paymentReversals, type topups } from '@/db/schema/topups';
import type { AnyActor } from '../../access/actor';
import { formatMoney } from '../../money';
import { recordAudit } from '../../platform/audit/record';
import type { BookedPayment } from '../top-ups/find-payment';
import { coverExcess } from './reversal-postings';

type Charge = Pick<typeof topups.$inferSelect, 'amountCents' | 'chargeAmountMinor'>;
type Reversal = typeof paymentReversals.$inferSelect;
/** What refunds and disputes of the same payment have taken so far: at the provider, and from the buyer. */
type Taken = { amountMinor: number; amountCents: number };

/**
 * What a refund or dispute takes from the buyer, in wallet cents. Where provider and wallet count in different
 * currencies it is the part of the wallet amount that the refunded part of the charge bought; several parts add up to
 * the whole to the cent. Never more than what the payment credited.
 * @param amountMinor of this refund or dispute, in the charge's minor units
 * @returns `amountCents` to take, and `excessMinor`, which the provider took beyond the payment, in the charge's minor units
 */
export function reversalShare(
  charge: Charge,
  taken: Taken,
  amountMinor: number,
): { amountCents: number; excessMinor: number } {
  const left = Math.max(charge.chargeAmountMinor - taken.amountMinor, 0);
  const covered = Math.min(amountMinor, left);
  // All of the payment is gone already: what goes beyond it is not the buyer's, whatever they got for it.
  if (covered === 0) return { amountCents: 0, excessMinor: amountMinor };
  const total = taken.amountMinor + covered;
  const isWhole = total >= charge.chargeAmountMinor;
  const dueCents = isWhole ? charge.amountCents : roundedShare(charge.amountCents, total, charge.chargeAmountMinor);
  return { amountCents: Math.max(dueCents - taken.amountCents, 0), excessMinor: amountMinor - covered };
}

/** amount × part ÷ whole, to the nearest cent, half up; in big integers, for the product may be beyond a safe one. */
function roundedShare(amount: number, part: number, whole: number): number {
  return Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)));
}

/** Whether a refund or dispute takes back what was credited: one in another currency, or of a payment that never matched, does not. */
export const countsAgainstCredit = (
  topup: typeof topups.$inferSelect,
  payment: BookedPayment,
  { currency }: Pick<Reversal, 'currency'>,
): boolean => currency === topup.chargeCurrency && (payment.place === 'wallet' || payment.isDeleted);

/** The refunds and disputes of a payment whose money is with the provider now. */
export const takenOf = (topup: Pick<typeof topups.$inferSelect, 'chargeCurrency'>, ofPayment: readonly Reversal[]) =>
  ofPayment.filter(({ money, currency }) => money === 'taken' && currency === topup.chargeCurrency);

/** @returns what they took at the provider, what of that was beyond the payment, and what they took from the buyer */
export function sumTaken(taken: readonly Reversal[]): Taken & { excessMinor: number } {
  const sum = { amountMinor: 0, excessMinor: 0, amountCents: 0 };
  for (const one of taken) {
    sum.amountMinor += one.amountMinor;
    sum.excessMinor += one.excessMinor;
    sum.amountCents += one.amountCents;
  }
  return sum;
}

type Topup = typeof topups.$inferSelect;

type Returned = { topup: Topup; payment: BookedPayment; returned: Reversal; others: readonly Reversal[] };

/**
 * A refund failed, or a dispute was won, and a later one was told before that: what the later one took beyond the
 * payment counts against it now, as if both had been told in their order.
 * @param others the refunds and disputes of the same payment without the one that came back
 */
export async function reallocateExcess(
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
