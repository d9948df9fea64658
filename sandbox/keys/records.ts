import { z } from 'zod';

/** A provider's signing key and the certificate for it, as PEM. */
const signingKeySchema = z.object({
  privateKey: z.string(),
  certificate: z.string(),
  /** The certificate's serial number in capital hex, 40 digits. */
  serial: z.string(),
});

/** Kept over a restart: an app that was configured with them goes on trusting the gateway. */
export const keysSchema = z.object({ paypal: signingKeySchema, wechat: signingKeySchema });

export type SigningKey = z.infer<typeof signingKeySchema>;
export type Keys = z.infer<typeof keysSchema>;
