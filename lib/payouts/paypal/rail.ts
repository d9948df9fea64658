import type { Executor } from '@/db/client';
import type { ProviderMode } from '@/db/schema/topups';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { findReadableConfig, getActiveModes } from '@/lib/payments/config/config';
import { findAdapter, openProvider } from '@/lib/payments/providers/open-provider';
import type { PayoutRail } from '@/lib/payments/providers/provider';
import { openMethodsOf } from '@/lib/payouts/methods/show';
import type { Payout } from '@/lib/payouts/postings';

/**
 * Returns the mode in which PayPal sends payouts; null when PayPal is not set up. PayPal's sandbox pays no seller, so in
 * production only the live mode counts.
 */
export async function findPayoutMode(): Promise<ProviderMode | null> {
  const mode = (await getActiveModes()).get('paypal');
  if (!mode || !canPayIn(mode)) return null;
  const config = await findReadableConfig('paypal', mode);
  return config !== null && config !== 'unreadable' && findAdapter(config) ? mode : null;
}

const canPayIn = (mode: ProviderMode) => mode === 'live' || env().APP_ENV !== 'production';

/**
 * Opens PayPal Payouts.
 * @param mode the mode of an existing batch; by default the active mode
 * @throws AppError not_configured
 */
export async function openPayoutRail(mode?: ProviderMode): Promise<PayoutRail> {
  const { payouts, mode: opened } = await openProvider('paypal', mode);
  if (!payouts) throw new AppError('not_configured', 'PayPal is not set up.');
  if (canPayIn(opened)) return payouts;
  throw new AppError(
    'not_configured',
    'PayPal is in sandbox mode, which pays no seller. Switch it to live mode first.',
  );
}

/** Decrypts the PayPal addresses of payouts, by payout. @throws Error for a payout without one of its seller */
export async function openReceivers(tx: Executor, rows: readonly Payout[]): Promise<Map<string, string>> {
  const openMethod = await openMethodsOf(tx, rows);
  return new Map(
    rows.map((payout) => {
      const details = openMethod(payout);
      if (details?.kind !== 'paypal') throw new Error(`The payout ${payout.id} has no PayPal address of its seller.`);
      return [payout.id, details.email];
    }),
  );
}
