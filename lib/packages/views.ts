import type { InferSelectModel } from 'drizzle-orm';
import { z } from 'zod';
import type { packages } from '@/db/schema/packages';

import { currencies } from '@/lib/money';

export type PackageRow = InferSelectModel<typeof packages>;
/** A package that can be ordered, with its current price in USD cents. */
export type OfferedPackageRow = PackageRow & { usdCents: number };

type PackageFacts = Omit<PackageView, 'priceUsd'>;

/** A package as buyers see it. */
export type PackageView = z.output<typeof packageResponse>;

/** A package as staff edit it. */
export type AdminPackageView = z.output<typeof adminPackageResponse>;

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

const packageFields = z.object({
  id: z.int(),
  name: z.string(),
  desc: z.string(),
  price: z.number().describe("The price of one, in `currency`'s major units."),
  currency: z.enum(currencies),
});

/** A package as buyers see it. */
export const packageResponse = packageFields
  .extend({ priceUsd: z.number().describe('The current price of one from the wallet, in USD.') })
  .meta({ title: 'Package' });

/** A package as staff edit it. */
export const adminPackageResponse = packageFields
  .extend({
    links: z.string().describe('CSV text or JSON, as entered.'),
    isOnSale: z.boolean(),
    version: z.int().describe('The version to send with an update, so that concurrent changes are detected.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ title: 'AdminPackage' });
