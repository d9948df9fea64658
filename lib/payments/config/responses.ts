import { z } from 'zod';
import { providerModes } from '@/db/schema/topups';

const mode = z.enum(providerModes);

/** A provider's settings for one mode. The response never contains a secret, only whether it is stored. */
export const providerConfigResponse = z
  .union([
    z.object({ mode, publishable_key: z.string(), has_secret: z.boolean(), has_webhook: z.boolean() }),
    z.object({
      mode,
      client_id: z.string(),
      webhook_id: z.string(),
      has_secret: z.boolean(),
      has_webhook: z.boolean(),
    }),
    z.object({
      mode,
      mchid: z.string(),
      appid: z.string(),
      serial_no: z.string(),
      has_api_v3_key: z.boolean(),
      api_v3_key: z.string().describe('The mask, or empty if none is stored.'),
      has_private_key: z.boolean(),
      public_key_id: z.string(),
      public_key: z.string(),
    }),
  ])
  .meta({ title: 'ProviderConfig' });

const warnings = z.record(z.string(), z.string()).describe('Warnings by field; the values are saved regardless.');

/** PUT /api/admin/payments/{provider}/config: the new state. */
export const savedProviderConfigResponse = z
  .union(providerConfigResponse.options.map((option) => option.extend({ warnings })))
  .meta({ title: 'SavedProviderConfig' });

/** POST /api/admin/payments/wechat/private-key. */
export const privateKeyResponse = z.object({ ok: z.literal(true), has_private_key: z.literal(true) });

/** POST /api/payments/{stripe,paypal}/webhook. */
export const receivedResponse = z.object({ received: z.literal(true) });
