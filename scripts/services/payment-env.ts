import { createPublicKey } from 'node:crypto';
import type { GatewayKeys } from './gateway';
import type { Secrets } from './secrets';

/** The app's environment for the sandbox's payment providers. */
export type PaymentEnv = ReturnType<typeof paymentEnv>;

/** Returns the gateway's environment: the app's accounts at the providers. */
export function gatewayEnv(secrets: Secrets): Record<string, string> {
  return {
    GATEWAY_STRIPE_WEBHOOK_SECRET: secrets.STRIPE_WEBHOOK_SECRET,
    GATEWAY_PAYPAL_CLIENT_ID: secrets.PAYPAL_CLIENT_ID,
    GATEWAY_PAYPAL_CLIENT_SECRET: secrets.PAYPAL_CLIENT_SECRET,
    GATEWAY_PAYPAL_WEBHOOK_ID: secrets.PAYPAL_WEBHOOK_ID,
    GATEWAY_WECHAT_MCHID: secrets.WECHAT_MCHID,
    GATEWAY_WECHAT_APPID: secrets.WECHAT_APPID,
    GATEWAY_WECHAT_API_V3_KEY: secrets.WECHAT_API_V3_KEY,
    GATEWAY_WECHAT_MERCHANT_PUBLIC_KEY: createPublicKey(secrets.WECHAT_PRIVATE_KEY)
      .export({ type: 'spki', format: 'pem' })
      .toString(),
    GATEWAY_WECHAT_MERCHANT_SERIAL: secrets.WECHAT_SERIAL_NO,
  };
}

/** Returns the app's environment. @param gatewayPort the first of the gateway's ports */
export function paymentEnv(secrets: Secrets, gatewayPort: number, keys: GatewayKeys) {
  return {
    STRIPE_BASE_URL: `http://127.0.0.1:${gatewayPort + 1}`,
    PAYPAL_BASE_URL: `http://127.0.0.1:${gatewayPort + 2}`,
    WECHAT_BASE_URL: `http://127.0.0.1:${gatewayPort + 3}`,
    SANDBOX_STRIPE_WEBHOOK_SECRET: secrets.STRIPE_WEBHOOK_SECRET,
    SANDBOX_PAYPAL_CLIENT_ID: secrets.PAYPAL_CLIENT_ID,
    SANDBOX_PAYPAL_CLIENT_SECRET: secrets.PAYPAL_CLIENT_SECRET,
    SANDBOX_PAYPAL_WEBHOOK_ID: secrets.PAYPAL_WEBHOOK_ID,
    SANDBOX_WECHAT_MCHID: secrets.WECHAT_MCHID,
    SANDBOX_WECHAT_APPID: secrets.WECHAT_APPID,
    SANDBOX_WECHAT_API_V3_KEY: secrets.WECHAT_API_V3_KEY,
    SANDBOX_WECHAT_SERIAL_NO: secrets.WECHAT_SERIAL_NO,
    SANDBOX_WECHAT_PRIVATE_KEY: secrets.WECHAT_PRIVATE_KEY,
    SANDBOX_WECHAT_PUBLIC_KEY: keys.wechatPublicKeyPem,
    SANDBOX_WECHAT_PUBLIC_KEY_ID: keys.wechatPublicKeyId,
    SANDBOX_WECHAT_PLATFORM_SERIAL: keys.wechatPlatformSerial,
  };
}
