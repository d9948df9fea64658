import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { getSandboxUrl } from '@/lib/payments/config/config';
import { requireOwnTopup } from './find-topup';
import { type TopupView, topupView } from './views';

/** Data of the page with the QR code. */
export type PayCode = TopupView & {
  /** The content of the QR code. */
  payCode: string;
  /** The charge: integer minor units of `chargeCurrency`. */
  chargeAmountMinor: number;
  chargeCurrency: string;
  /** Millionths of a USD for one unit of the charge currency. */
  rateMicros: number | null;
  /** ISO 8601: the expiry of the code and the rate. */
  expiresAt: string;
  isLive: boolean;
  /** URL of the sandbox's phone simulation, or null. */
  sandboxUrl: string | null;
};

/**
 * Returns the QR code of the user's own top-up.
 * @throws AppError not_found for another user's top-up, and for one without a code
 */
export async function getPayCode(actor: Actor, topupId: string): Promise<PayCode> {
  const topup = await requireOwnTopup(actor, topupId);
  const { payCode, chargeAmountMinor, chargeCurrency, rateMicros, expiresAt, mode } = topup;
  if (payCode === null) throw new AppError('not_found', 'This top-up has no code to scan.');
  return {
    ...topupView(topup),
    payCode,
    chargeAmountMinor,
    chargeCurrency,
    rateMicros,
    expiresAt: expiresAt.toISOString(),
    isLive: mode === 'live',
    sandboxUrl: getSandboxUrl(topup.provider, mode) ?? null,
  };
}
