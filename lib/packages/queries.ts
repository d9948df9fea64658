import { and, asc, count, desc, eq, gt, ilike, isNull, or, type SQL } from 'drizzle-orm';
import { db } from '@/db/client';
import { packages } from '@/db/schema/packages';
import { AppError } from '@/lib/errors';
import { convertToUsdCents } from '@/lib/money';
import type { Page } from '@/lib/platform/http/fields';
import { isFlagOn } from '@/lib/settings/feature-flags/read-flags';
import { getExchangeRates } from '@/lib/settings/rates/exchange-rates';
import type { PackageFilter, PackageSortKey } from './schemas';
import type { OfferedPackageRow, PackageRow } from './views';

/** The maximum number of packages in the list for buyers. */
const maxOffered = 500;

/** The condition for packages that can be ordered: on sale, priced, not deleted. */
export const isOffered = and(eq(packages.isOnSale, true), gt(packages.priceCents, 0), isNull(packages.deletedAt));

/**
 * Lists the packages that a buyer can order, cheapest first. Excludes prices in a currency without an exchange rate and
 * prices below one cent. Returns nothing while packages are turned off.
 */
export async function listOfferedPackages(): Promise<OfferedPackageRow[]> {
  if (!(await isFlagOn('packages'))) return [];
  const [rows, rates] = await Promise.all([
    db().select().from(packages).where(isOffered).orderBy(asc(packages.id)).limit(maxOffered),
    getExchangeRates(),
  ]);
  return rows
    .flatMap((row) => {
      const rate = rates.get(row.currency);
      const usdCents = rate ? convertToUsdCents(row.priceCents, rate) : 0;
      return usdCents > 0 ? [{ ...row, usdCents }] : [];
    })
    .sort((one, other) => one.usdCents - other.usdCents || one.id - other.id);
}

const sortColumns = { added: packages.id, name: packages.name, price: packages.priceCents } as const;

export type ListPackagesQuery = PackageFilter & {
  sort?: { key: PackageSortKey; order: 'asc' | 'desc' };
  limit: number;
  offset: number;
};

/** Lists every package that is not deleted, newest first unless sorted; for staff. */
export async function listPackages({ sort, limit, offset, ...filter }: ListPackagesQuery): Promise<Page<PackageRow>> {
  const where = condition(filter);
  const { key, order } = sort ?? { key: 'added', order: 'desc' };
  const direction = order === 'asc' ? asc : desc;
  const [rows, [counted]] = await Promise.all([
    db()
      .select()
      .from(packages)
      .where(where)
      .orderBy(direction(sortColumns[key]), desc(packages.id))
      .limit(limit)
      .offset(offset),
    db().select({ total: count() }).from(packages).where(where),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

function condition({ q, sale }: PackageFilter): SQL | undefined {
  const pattern = q && `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  return and(
    isNull(packages.deletedAt),
    pattern ? or(ilike(packages.name, pattern), ilike(packages.description, pattern)) : undefined,
    sale && eq(packages.isOnSale, sale === 'on'),
  );
}

/** Lists the packages that a license can refer to, by name. */
export async function listPackageChoices(): Promise<{ id: number; name: string }[]> {
  return db()
    .select({ id: packages.id, name: packages.name })
    .from(packages)
    .where(isNull(packages.deletedAt))
    .orderBy(asc(packages.name), asc(packages.id))
    .limit(1_000);
}

/** @throws AppError not_found, also for a deleted package */
export async function getPackage(id: number): Promise<PackageRow> {
  const [found] = await db()
    .select()
    .from(packages)
    .where(and(eq(packages.id, id), isNull(packages.deletedAt)));
  if (!found) throw packageNotFoundError(id);
  return found;
}

export function packageNotFoundError(id: number): AppError {
  return new AppError('not_found', `Package #${id} does not exist or was deleted.`);
}
