import type { Executor } from '@/db/client';
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
