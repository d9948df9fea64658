import type { InferSelectModel } from 'drizzle-orm';
import type { packages } from '../../db/schema/packages';
import type { Currency } from '../money';

export type PackageRow = InferSelectModel<typeof packages>;
/** A package that can be ordered now, with what one of it takes from the wallet, in USD cents. */
export type OfferedPackageRow = PackageRow & { usdCents: number };

/** A package as a buyer knows it (spec 001, section 3). Prices of one, in major units. */
export type PackageView = {
  id: number;
  name: string;
  desc: string;
  /** In `currency`. */
  price: number;
  currency: Currency;
  /** What the wallet would pay now. */
  priceUsd: number;
};

export function packageView(row: OfferedPackageRow): PackageView {
  const { id, name, description, priceCents, currency, usdCents } = row;
  return { id, name, desc: description, price: priceCents / 100, currency, priceUsd: usdCents / 100 };
}
