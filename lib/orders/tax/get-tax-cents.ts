import { eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { orderTaxes } from '@/db/schema/tax';
import { computeTaxCents } from '@/lib/tax/amounts';
import { type BuyerTax, getShownTax } from '@/lib/tax/buyer-tax';

/** Returns the tax on a net amount in USD cents; 0 while tax is off. */
export const getTaxCents = (netCents: number, tax: Pick<BuyerTax, 'decision'> | null): number =>
  tax ? computeTaxCents(netCents, tax.decision.rate) : 0;

/** Estimates the tax on what a buyer may pay later, in USD cents; 0 while nothing can be taxed, as without a country. */
export async function estimateTaxCents(accountId: string, netCents: number, tx?: Executor): Promise<number> {
  const shown = await getShownTax(accountId, tx);
  return shown && 'rate' in shown ? computeTaxCents(netCents, shown.rate) : 0;
}

/**
 * Returns the tax of a charge in USD cents; 0 if it was paid while tax was off.
 * @param movementKey the key of its net transfer
 */
export async function findChargedTaxCents(tx: Executor, movementKey: string): Promise<number> {
  const [row] = await tx
    .select({ taxCents: orderTaxes.taxCents })
    .from(orderTaxes)
    .where(eq(orderTaxes.movementKey, movementKey));
  return row?.taxCents ?? 0;
}
