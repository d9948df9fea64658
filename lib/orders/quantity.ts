/** How many packages one order may take. */
export const maxQuantity = 100;

/** What is wrong with a quantity; undefined for nothing. */
export function quantityComplaint(quantity: number): string | undefined {
  if (!Number.isInteger(quantity)) return 'Use a whole number.';
  if (quantity < 1) return 'Order at least one.';
  return quantity > maxQuantity ? `Order at most ${maxQuantity} at once.` : undefined;
}

/** A quantity as it was given: what is no number at all falls back to 1 (spec 001, section 5). Not checked for its range. */
export function readQuantity(given: unknown): number {
  const isPlain = typeof given === 'number' || (typeof given === 'string' && given.trim() !== '');
  return isPlain && !Number.isNaN(Number(given)) ? Number(given) : 1;
}
