import { db } from '../../db/client';
import { packages } from '../../db/schema/packages';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { formatMoney, walletCurrency } from '../money';
import { requireSellable } from './require-sellable';
import type { CreatePackageInput } from './schemas';
import type { PackageRow } from './views';

/**
 * Adds a package. With a price it is on sale at once unless said otherwise; without one (0) it waits for its price.
 * @throws AppError invalid_input when it shall be on sale without a price, or in a currency without a rate
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
