import { z } from 'zod';

/** A provider's signing key and its certificate, as PEM. */
const signingKeySchema = z.object({
  privateKey: z.string(),
  certificate: z.string(),
  /** The certificate's serial number in capital hex, 40 digits. */
  serial: z.string(),
});

/** Stored across restarts, so that a configured app still trusts the gateway. */
export const keysSchema = z.object({ paypal: signingKeySchema, wechat: signingKeySchema });

export type SigningKey = z.infer<typeof signingKeySchema>;
export type Keys = z.infer<typeof keysSchema>;
