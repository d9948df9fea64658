import type { Executor } from '../../db/client';
import { AppError } from '../errors';
import type { Currency } from '../money';
import { getExchangeRates } from '../settings/exchange-rates';

/**
 * A package on sale has a price above 0, in a currency that wallets can be charged in (decisions 8 and 13).
 * @throws AppError invalid_input that names the field to mend
 */
export async function requireSellable(
  tx: Executor,
  { priceCents, currency }: { priceCents: number; currency: Currency },
): Promise<void> {
  if (priceCents <= 0) throw refusal('isOnSale', 'A package without a price cannot be on sale. Enter a price first.');
  const rates = await getExchangeRates(tx);
  if (rates.has(currency)) return;
  throw refusal('currency', `There is no exchange rate for ${currency}, so a price in it cannot be charged.`);
}

function refusal(field: 'isOnSale' | 'currency', message: string): AppError {
  return new AppError('invalid_input', message, { fields: { [field]: message } });
}
