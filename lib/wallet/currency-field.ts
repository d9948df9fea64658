import { z } from 'zod';
import { walletCurrency } from '../money';

/** The currency of money that goes into a wallet: the wallets' own, and where nothing is said that one. */
export const currencyField = z
  .string()
  .trim()
  .toUpperCase()
  .pipe(z.literal(walletCurrency, { error: `Wallets hold ${walletCurrency} only.` }))
  .default(walletCurrency);
