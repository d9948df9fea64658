import type { Actor } from '../../access/actor';
import { AppError } from '../../errors';
import { sandboxOf } from '../config/config';
import { findOwnTopup } from './find-topup';
import { type TopupView, topupView } from './views';

/** What our page with a code to scan shows. */
export type PayCode = TopupView & {
  /** What the code holds. */
  payCode: string;
  /** What the buyer pays: integer minor units of `chargeCurrency`. */
  chargeAmountMinor: number;
  chargeCurrency: string;
  /** Millionths of a USD for one unit of the charge currency. */
  rateMicros: number | null;
  /** ISO 8601: until then the code, and the rate, hold. */
  expiresAt: string;
  isLive: boolean;
  /** The sandbox gateway, where it plays the phone. */
  sandboxUrl: string | null;
};

/** The code of this person's top-up. @throws AppError not_found for another's, and for one without a code */
export async function findPayCode(actor: Actor, topupId: string): Promise<PayCode> {
  const topup = await findOwnTopup(actor, topupId);
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
    sandboxUrl: sandboxOf(topup.provider, mode) ?? null,
  };
}
