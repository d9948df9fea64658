import { payments } from '@paypal/checkout-server-sdk';
import { z } from 'zod';
import { type PayPalCall, PayPalRefusal } from './paypal-client';
import { requireSame } from './paypal-evidence';
import { understood } from './understood';

const captureSchema = z.object({ id: z.string(), status: z.string(), custom_id: z.string().nullish() });

/**
 * How a capture stands, and whose it is.
 * @returns null for one that PayPal does not find: another shop's, or a payment that was never a capture
 * @throws ProviderError when PayPal does not answer
 */
export async function findCapture(captureId: string, call: PayPalCall): Promise<z.output<typeof captureSchema> | null> {
  try {
    const capture = understood('PayPal', captureSchema, await call(new payments.CapturesGetRequest(captureId)));
    requireSame('capture', capture.id, captureId);
    return capture;
  } catch (thrown) {
    if (thrown instanceof PayPalRefusal && thrown.httpStatus === 404) return null;
    throw thrown;
  }
}

/** The top-up that a capture names, or null. @throws ProviderError when PayPal does not answer */
export async function topupOfCapture(captureId: string, call: PayPalCall): Promise<string | null> {
  return (await findCapture(captureId, call))?.custom_id ?? null;
}
