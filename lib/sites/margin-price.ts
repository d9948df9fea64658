/**
 * The price with a margin on top, rounded to the nearest cent (half up), in integers only.
 * @param sellerPriceCents minor units
 * @param marginBasisPoints hundredths of a percent: 25 % is 2,500
 */
export function priceWithMargin(sellerPriceCents: number, marginBasisPoints: number): number {
  const scaled = BigInt(sellerPriceCents) * BigInt(10_000 + marginBasisPoints);
  return Number((scaled + 5_000n) / 10_000n);
}
