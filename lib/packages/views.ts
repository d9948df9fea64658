import type { InferSelectModel } from 'drizzle-orm';
import type { packages } from '../../db/schema/packages';
import type { Currency } from '../money';

export type PackageRow = InferSelectModel<typeof packages>;
/** A package that can be ordered now, with what one of it takes from the wallet, in USD cents. */
export type OfferedPackageRow = PackageRow & { usdCents: number };

type PackageFacts = {
  id: number;
  name: string;
  desc: string;
  /** Of one, in `currency`'s major units. */
  price: number;
  currency: Currency;
};

/** A package as a buyer knows it (spec 001, section 3); `priceUsd` is what the wallet would pay now for one. */
export type PackageView = PackageFacts & { priceUsd: number };

/** A package as staff edit it (spec 000, section 3). */
export type AdminPackageView = PackageFacts & {
  /** CSV text or JSON, as it was written. */
  links: string;
  isOnSale: boolean;
  /** What an edit names, so that a stale one is told. */
  version: number;
  createdAt: string;
  updatedAt: string;
};

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
