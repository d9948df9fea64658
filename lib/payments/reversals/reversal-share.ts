import { eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { paymentReversals, type topups } from '@/db/schema/topups';
import type { AnyActor } from '@/lib/access/actor';
import { formatMoney } from '@/lib/money';
import type { BookedPayment } from '@/lib/payments/top-ups/queries';
import { recordAudit } from '@/lib/platform/audit/record';
import { postReallocatedExcess } from './reversal-postings';

type Charge = Pick<typeof topups.$inferSelect, 'amountCents' | 'chargeAmountMinor'>;
type Reversal = typeof paymentReversals.$inferSelect;
/**
 * What refunds and disputes of the same payment took so far: at the provider in minor units, and from the buyer in
 * cents.
 */
type Taken = { amountMinor: number; amountCents: number };

/**
 * Computes how much a refund or dispute takes from the buyer, in wallet cents. When the charge and the wallet have
 * different currencies, it is the share of the wallet amount that the refunded part of the charge paid for. Several
 * parts add up to the whole to the cent, and never exceed the payment's credit.
 * @param amountMinor of this refund or dispute, in the charge's minor units
 * @returns `amountCents` to debit, and `excessMinor`, the amount beyond the payment, in the charge's minor units
 */
export function computeReversalShare(charge: Charge, withdrawn: Taken, amountMinor: number) {
  const left = Math.max(charge.chargeAmountMinor - withdrawn.amountMinor, 0);
  const covered = Math.min(amountMinor, left);
  // The payment is already reversed in full: the excess is not the buyer's.
  if (covered === 0) return { amountCents: 0, excessMinor: amountMinor };
  const total = withdrawn.amountMinor + covered;
  const isWhole = total >= charge.chargeAmountMinor;
  const dueCents = isWhole ? charge.amountCents : multiplyRatio(charge.amountCents, total, charge.chargeAmountMinor);
  return { amountCents: Math.max(dueCents - withdrawn.amountCents, 0), excessMinor: amountMinor - covered };
}

/**
 * Computes amount × part ÷ whole to the nearest cent, half up. Uses BigInt because the product may exceed a safe
 * integer.
 */
export function multiplyRatio(amount: number, part: number, whole: number): number {
  return Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)));
}

/**
 * Checks whether a refund or dispute reverses the credit. One in another currency, or of a payment that never matched,
 * does not.
 */
export const countsAgainstCredit = (
  topup: typeof topups.$inferSelect,
  payment: BookedPayment,
  { currency }: Pick<Reversal, 'currency'>,
): boolean => currency === topup.chargeCurrency && (payment.place === 'wallet' || payment.isDeleted);

/** Returns the refunds and disputes of a payment whose money the provider holds. */
export const filterTaken = (
  topup: Pick<typeof topups.$inferSelect, 'chargeCurrency'>,
  ofPayment: readonly Reversal[],
) => ofPayment.filter(({ money, currency }) => money === 'taken' && currency === topup.chargeCurrency);

/** Sums the amounts taken at the provider, beyond the payment, and from the buyer. */
export function sumTaken(withdrawn: readonly Reversal[]): Taken & { excessMinor: number } {
  const sum = { amountMinor: 0, excessMinor: 0, amountCents: 0 };
  for (const one of withdrawn) {
    sum.amountMinor += one.amountMinor;
    sum.excessMinor += one.excessMinor;
    sum.amountCents += one.amountCents;
  }
  return sum;
}

type Topup = typeof topups.$inferSelect;

type Returned = {
  topup: Topup;
  payment: BookedPayment;
  returned: Pick<Reversal, 'reference'>;
  others: readonly Reversal[];
  held: Taken;
};

/**
 * Reallocates, after a refund failed or a dispute was won, the excess of later reversals to the payment, so that the
 * result equals that of processing the events in order.
 * @param returned names what was returned; a refund that the provider never made has our id
 * @param others the other refunds and disputes of the same payment
 * @param held what refunds in progress will take
 */
export async function reallocateExcess(
  tx: Executor,
  actor: AnyActor,
  { topup, payment, returned, others, held }: Returned,
): Promise<void> {
  const withdrawn = filterTaken(topup, others);
  for (const [index, later] of withdrawn.entries()) {
    if (later.excessMinor === 0 || !countsAgainstCredit(topup, payment, later)) continue;
    const { amountMinor, excessMinor, amountCents } = sumTaken(withdrawn);
    const share = computeReversalShare(
      topup,
      { amountMinor: amountMinor - excessMinor + held.amountMinor, amountCents: amountCents + held.amountCents },
      later.excessMinor,
    );
    const freedMinor = later.excessMinor - share.excessMinor;
    if (freedMinor === 0) return;
    const changes = { amountCents: later.amountCents + share.amountCents, excessMinor: share.excessMinor };
    await tx.update(paymentReversals).set(changes).where(eq(paymentReversals.id, later.id));
    withdrawn[index] = { ...later, ...changes };
    const covered = { cause: returned.reference, amountCents: share.amountCents, freedMinor };
    await postReallocatedExcess(tx, actor, { topup, payment, reversal: later }, covered);
    const part = formatMoney(freedMinor, later.currency);
    await recordAudit(tx, actor, {
      action: `topup.${later.kind === 'refund' ? 'refunded' : 'disputed'}`,
      details: `${part} of ${later.reference} counts against the top-up now that ${returned.reference} was returned.`,
      entityType: 'topup',
      entityId: topup.id,
      amountCents: share.amountCents,
    });
  }
}
