import { and, asc, eq, gt, isNull } from 'drizzle-orm';
import { db } from '../../db/client';
import { packages } from '../../db/schema/packages';
import { convertToUsdCents } from '../money';
import { getExchangeRates } from '../settings/exchange-rates';
import type { OfferedPackageRow } from './views';

/** How many packages a shop window holds; more than anybody reads. */
const maxOffered = 500;

/** A package that can be ordered: on sale, priced, not deleted. */
const isOffered = and(eq(packages.isOnSale, true), gt(packages.priceCents, 0), isNull(packages.deletedAt));

/** What a buyer can order now, the cheapest first; nothing in a currency that cannot be charged (decision 8). */
export async function listOfferedPackages(): Promise<OfferedPackageRow[]> {
  const [rows, rates] = await Promise.all([
    db().select().from(packages).where(isOffered).orderBy(asc(packages.id)).limit(maxOffered),
    getExchangeRates(),
  ]);
  return rows
    .flatMap((row) => {
      const rate = row.currency === 'USD' ? 1_000_000 : rates.get(row.currency);
      return rate ? [{ ...row, usdCents: convertToUsdCents(row.priceCents, rate) }] : [];
    })
    .sort((one, other) => one.usdCents - other.usdCents || one.id - other.id);
}
