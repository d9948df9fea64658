/** The maximum quantity of a package in one order. */
export const maxQuantity = 100;

/** Validates a quantity. @returns an error message, or undefined if it is valid */
export function validateQuantity(quantity: number): string | undefined {
  if (!Number.isInteger(quantity)) return 'Use a whole number.';
  if (quantity < 1) return 'Order at least one.';
  return quantity > maxQuantity ? `Order at most ${maxQuantity} at once.` : undefined;
}

/** Parses a quantity. A value that is not a number becomes 1. Does not check the range. */
export function parseQuantity(input: unknown): number {
  const isPlain = typeof input === 'number' || (typeof input === 'string' && input.trim() !== '');
  return isPlain && !Number.isNaN(Number(input)) ? Number(input) : 1;
}

/** The smallest top-up, in USD cents. */
const minTopUpCents = 100;

/** Returns the amount to add to a wallet whose balance is too low for an order, in USD cents. */
export const getMissingCents = (totalCents: number, balanceCents: number): number =>
  Math.max(totalCents - balanceCents, minTopUpCents);

/** The number of orders that one request answers: the orders on the largest page of the list. */
export const maxAnswered = 100;
