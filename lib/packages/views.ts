import type { InferSelectModel } from 'drizzle-orm';
import type { z } from 'zod';
import type { packages } from '../../db/schema/packages';
import type { adminPackageAnswer, packageAnswer } from './answers';

export type PackageRow = InferSelectModel<typeof packages>;
/** A package that can be ordered now, with what one of it takes from the wallet, in USD cents. */
export type OfferedPackageRow = PackageRow & { usdCents: number };

type PackageFacts = Omit<PackageView, 'priceUsd'>;

/** A package as a buyer knows it (spec 001, section 3). */
export type PackageView = z.output<typeof packageAnswer>;

/** A package as staff edit it (spec 000, section 3). */
export type AdminPackageView = z.output<typeof adminPackageAnswer>;

export function packageView(row: OfferedPackageRow): PackageView {
  return { ...facts(row), priceUsd: row.usdCents / 100 };
}

export function adminPackageView(row: PackageRow): AdminPackageView {
  const { links, isOnSale, version, createdAt, updatedAt } = row;
  return {
    ...facts(row),
    ...{ links, isOnSale, version },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

function facts({ id, name, description, priceCents, currency }: PackageRow): PackageFacts {
  return { id, name, desc: description, price: priceCents / 100, currency };
}
