import { z } from 'zod';
import { type PaymentConfig, sandboxOf } from '../../config/config';
import type { WeChatMerchant } from './signature';

const fieldsSchema = z.object({
  mchid: z.string().min(1),
  appid: z.string().min(1),
  serial_no: z.string().min(1),
  public_key_id: z.string().default(''),
  public_key: z.string().default(''),
});
const secretsSchema = z.object({
  api_v3_key: z.string().refine((key) => Buffer.byteLength(key) === 32),
  private_key: z.string().min(1),
});

/** A merchant at WeChat Pay, as an admin entered it, and where its API is. */
export type WeChatAccount = {
  merchant: WeChatMerchant;
  appid: string;
  apiV3Key: string;
  /** WeChat's public key for this merchant and its id (PUB_KEY_ID_…); empty for merchants with platform certificates. */
  publicKeyId: string;
  publicKey: string;
  baseUrl: string;
};

const liveHost = 'https://api.mch.weixin.qq.com';

/**
 * Null while something is missing. WeChat Pay has no test host: outside of demo and tests its test mode would charge real
 * money, and so it is not offered there.
 */
export function weChatAccount({ mode, fields, secrets }: PaymentConfig): WeChatAccount | null {
  const plain = fieldsSchema.safeParse(fields);
  const secret = secretsSchema.safeParse(secrets);
  if (!plain.success || !secret.success || !hasHost(mode)) return null;
  const { mchid, appid, serial_no: serial, public_key_id: publicKeyId, public_key: publicKey } = plain.data;
  return {
    merchant: { mchid, serial, privateKey: secret.data.private_key },
    appid,
    apiV3Key: secret.data.api_v3_key,
    publicKeyId,
    publicKey,
    baseUrl: weChatHost(mode),
  };
}

const hasHost = (mode: PaymentConfig['mode']) => mode === 'live' || sandboxOf('wechat', mode) !== undefined;

/** Where WeChat's API is in a mode; the sandbox gateway stands in for it in demo and tests only. */
function weChatHost(mode: PaymentConfig['mode']): string {
  return sandboxOf('wechat', mode) ?? liveHost;
}
