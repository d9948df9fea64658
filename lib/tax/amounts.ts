/** Formats a rate in hundredths of a percent: "19%", "25.5%". */
export const formatTaxRate = (rate: number): string => `${rate / 100}%`;

/**
 * Returns the tax on a net amount, rounded half up to the cent.
 * @param rate in hundredths of a percent
 */
export const computeTaxCents = (netCents: number, rate: number): number =>
  Number((BigInt(netCents) * BigInt(rate) * 2n + 10_000n) / 20_000n);

/**
 * Returns the tax that a refund returns of a charge. The tax of all refunds so far is the share of the net that they
 * returned, rounded half up, so that the refund of the rest returns the rest to the cent.
 * @param returned what earlier refunds returned of the charge
 * @param netCents what this refund returns; at most what is left
 */
export function computeReturnedTaxCents(
  charge: { netCents: number; taxCents: number },
  returned: { netCents: number; taxCents: number },
  netCents: number,
): number {
  const net = BigInt(charge.netCents);
  const share = BigInt(charge.taxCents) * BigInt(returned.netCents + netCents);
  return Number((share * 2n + net) / (2n * net)) - returned.taxCents;
}
