import { db, type Executor } from '@/db/client';
import { packages } from '@/db/schema/packages';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { type Currency, formatMoney, walletCurrency } from '@/lib/money';
import { recordAudit } from '@/lib/platform/audit/record';
import { getExchangeRates } from '@/lib/settings/rates/exchange-rates';
import type { CreatePackageInput } from './schemas';
import type { PackageRow } from './views';

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
export async function requireSellable(
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
