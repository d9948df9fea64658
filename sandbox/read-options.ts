import { join } from 'node:path';
import { z } from 'zod';
import type { PayPalAccount } from './paypal/gateway';
import type { Observe } from './provider/observe';
import type { WechatMerchant } from './wechat/gateway';

export type GatewayOptions = {
  /**
   * The port of the inbox and the controls; Stripe, PayPal, WeChat and the publisher use the next four. 0 for any free
   * ports.
   */
  port: number;
  /** The app's URL without a trailing slash; the target of webhooks. */
  appUrl: string;
  /** whsec_…, as in the app's configuration. */
  stripeWebhookSecret: string;
  /** The app's account at PayPal; without it the port rejects all credentials. */
  paypal?: PayPalAccount;
  /** The app as a merchant of WeChat Pay; without it the port rejects every request. */
  wechat?: WechatMerchant;
  /** A JSON file for the state; without it the state is in memory only. */
  stateFile?: string;
  observe?: Observe;
};

const text = z.string().min(1);

const schema = z.object({
  GATEWAY_PORT: z.coerce.number().int().min(1).max(65_531).default(4610),
  APP_URL: z.url({ protocol: /^https?$/ }),
  GATEWAY_STRIPE_WEBHOOK_SECRET: text,
  DATA_DIR: text.default('.data'),
  /** memory: for a benchmark. The file is written whole at every change. */
  GATEWAY_STATE: z.enum(['file', 'memory']).default('file'),
});

const paypalSchema = z.object({
  GATEWAY_PAYPAL_CLIENT_ID: text,
  GATEWAY_PAYPAL_CLIENT_SECRET: text,
  GATEWAY_PAYPAL_WEBHOOK_ID: text,
});

const wechatSchema = z.object({
  GATEWAY_WECHAT_MCHID: text,
  GATEWAY_WECHAT_APPID: text,
  GATEWAY_WECHAT_API_V3_KEY: z.string().length(32),
  GATEWAY_WECHAT_MERCHANT_PUBLIC_KEY: z.string().startsWith('-----BEGIN'),
  GATEWAY_WECHAT_MERCHANT_SERIAL: text,
});

/**
 * Reads the options of a gateway process. The variables of PayPal and WeChat are complete or absent.
 * @throws Error with the missing or invalid variables
 */
export function readOptions(env: Record<string, string | undefined>): GatewayOptions {
  const common = checked(schema, env);
  const paypal = isNamed(env, 'GATEWAY_PAYPAL_') ? checked(paypalSchema, env) : null;
  const wechat = isNamed(env, 'GATEWAY_WECHAT_') ? checked(wechatSchema, env) : null;
  return {
    port: common.GATEWAY_PORT,
    appUrl: common.APP_URL,
    stripeWebhookSecret: common.GATEWAY_STRIPE_WEBHOOK_SECRET,
    ...(common.GATEWAY_STATE === 'file' && { stateFile: join(common.DATA_DIR, 'gateway.json') }),
    ...(paypal && {
      paypal: {
        clientId: paypal.GATEWAY_PAYPAL_CLIENT_ID,
        clientSecret: paypal.GATEWAY_PAYPAL_CLIENT_SECRET,
        webhookId: paypal.GATEWAY_PAYPAL_WEBHOOK_ID,
      },
    }),
    ...(wechat && {
      wechat: {
        mchid: wechat.GATEWAY_WECHAT_MCHID,
        appid: wechat.GATEWAY_WECHAT_APPID,
        apiV3Key: wechat.GATEWAY_WECHAT_API_V3_KEY,
        merchantPublicKey: wechat.GATEWAY_WECHAT_MERCHANT_PUBLIC_KEY,
        merchantSerial: wechat.GATEWAY_WECHAT_MERCHANT_SERIAL,
      },
    }),
  };
}

function checked<Schema extends z.ZodType>(part: Schema, env: Record<string, string | undefined>): z.output<Schema> {
  const parsed = part.safeParse(env);
  if (!parsed.success) throw new Error(`The gateway's environment is incomplete:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

function isNamed(env: Record<string, string | undefined>, prefix: string): boolean {
  return Object.entries(env).some(([name, value]) => name.startsWith(prefix) && value !== undefined);
}
