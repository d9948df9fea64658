import { and, asc, count, desc, eq, gt, ilike, isNull, or, type SQL, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { packages } from '@/db/schema/packages';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { type Currency, convertToUsdCents, formatMoney, walletCurrency } from '@/lib/money';
import { computeChanges, recordAudit } from '@/lib/platform/audit/record';
import type { Page } from '@/lib/platform/http/fields';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { getExchangeRates } from '@/lib/settings/exchange-rates';
import { isFlagOn } from '@/lib/settings/feature-flags';
import type {
  CreatePackageInput,
  OfferedPackageRow,
  PackageFilter,
  PackageRow,
  PackageSortKey,
  UpdatePackageInput,
} from './contract';

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

type ListPackagesQuery = PackageFilter & {
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

/** Returns a package. @throws AppError not_found, also for a deleted package */
export async function getPackage(id: number): Promise<PackageRow> {
  const [found] = await db()
    .select()
    .from(packages)
    .where(and(eq(packages.id, id), isNull(packages.deletedAt)));
  if (!found) throw packageNotFoundError(id);
  return found;
}

function packageNotFoundError(id: number): AppError {
  return new AppError('not_found', `Package #${id} does not exist or was deleted.`);
}

/**
 * Creates a package. By default, a package with a price is on sale, and a package without a price (0) is not.
 * @throws AppError invalid_input for a package on sale without a price or in a currency without an exchange rate
 */
export async function createPackage(actor: Actor, input: CreatePackageInput): Promise<PackageRow> {
  const { priceCents, currency = walletCurrency } = input;
  const isOnSale = input.isOnSale ?? priceCents > 0;
  return db().transaction(async (tx) => {
    if (isOnSale) await requireSellable(tx, { priceCents, currency });
    const [added] = await tx
      .insert(packages)
      .values({ ...input, currency, isOnSale })
      .returning();
    if (!added) throw new Error('The package was not inserted.');
    const { id, name, description, links } = added;
    await recordAudit(tx, actor, {
      action: 'package.created',
      details: `Package #${id} ${name} was added: ${formatMoney(priceCents, currency)}, ${isOnSale ? 'on sale' : 'not on sale'}.`,
      entityType: 'package',
      entityId: id,
      after: { name, description, priceCents, currency, links, isOnSale },
    });
    return added;
  });
}

/**
 * Requires a price above 0, in a currency with an exchange rate.
 * @throws AppError invalid_input that names the invalid field
 */
async function requireSellable(
  tx: Executor,
  { priceCents, currency }: { priceCents: number; currency: Currency },
): Promise<void> {
  if (priceCents <= 0)
    throw invalidFieldError('isOnSale', 'A package without a price cannot be on sale. Enter a price first.');
  const rates = await getExchangeRates(tx);
  if (rates.has(currency)) return;
  throw invalidFieldError('currency', `There is no exchange rate for ${currency}, so a price in it cannot be charged.`);
}

function invalidFieldError(field: 'isOnSale' | 'currency', message: string): AppError {
  return new AppError('invalid_input', message, { fields: { [field]: message } });
}

/**
 * Updates a package. Absent fields keep their value. Removing the price also takes the package off sale. Existing orders
 * keep their name and price.
 * @throws AppError not_found, conflict for a stale `version`, invalid_input if the package cannot be on sale
 */
export async function updatePackage(
  actor: Actor,
  id: number,
  { version, changes }: UpdatePackageInput,
): Promise<PackageRow> {
  return db().transaction(async (tx) => {
    const known = await lockPackage(tx, id);
    requireVersion(known, version, `Package #${id}`);
    const losesPrice = changes.priceCents === 0 && changes.isOnSale === undefined;
    const { fields, before, after } = computeChanges<PackageRow>(known, {
      ...changes,
      ...(losesPrice && { isOnSale: false }),
    });
    if (fields.length === 0) return known;
    const requested = { ...known, ...after };
    if (requested.isOnSale) await requireSellable(tx, requested);
    const [saved] = await tx
      .update(packages)
      .set({ ...after, version: known.version + 1 })
      .where(eq(packages.id, id))
      .returning();
    if (!saved) throw new Error('The package was not updated.');
    await recordAudit(tx, actor, {
      action: 'package.updated',
      details: `Package #${id} ${saved.name} was changed (${fields.join(', ')}).`,
      entityType: 'package',
      entityId: id,
      before,
      after,
    });
    return saved;
  });
}

/**
 * Locks a package for an update.
 * @throws AppError not_found, also for a deleted package
 */
async function lockPackage(tx: Executor, id: number): Promise<PackageRow> {
  const [found] = await tx
    .select()
    .from(packages)
    .where(and(eq(packages.id, id), isNull(packages.deletedAt)))
    .for('no key update');
  if (!found) throw packageNotFoundError(id);
  return found;
}

/**
 * Deletes a package. Existing orders of it are unchanged.
 * @throws AppError not_found, also for a package that is already deleted
 */
export async function deletePackage(actor: Actor, id: number): Promise<void> {
  await db().transaction(async (tx) => {
    const { name } = await lockPackage(tx, id);
    await tx.update(packages).set({ deletedAt: sql`now()`, isOnSale: false }).where(eq(packages.id, id));
    await recordAudit(tx, actor, {
      action: 'package.deleted',
      details: `Package #${id} ${name} was deleted.`,
      entityType: 'package',
      entityId: id,
      before: { name },
    });
  });
}
