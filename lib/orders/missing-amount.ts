/** The smallest top-up, in USD cents. */
const minTopUpCents = 100;

/** Returns the amount to add to a wallet whose balance is too low for an order, in USD cents. */
export const getMissingCents = (totalCents: number, balanceCents: number): number =>
  Math.max(totalCents - balanceCents, minTopUpCents);
