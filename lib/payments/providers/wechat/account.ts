import { z } from 'zod';
import { getSandboxUrl, type PaymentConfig } from '@/lib/payments/config/config';
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

/** A configured WeChat Pay merchant, with the URL of the API. */
export type WeChatAccount = {
  merchant: WeChatMerchant;
  appid: string;
  apiV3Key: string;
  /**
   * WeChat's public key for this merchant and its id (PUB_KEY_ID_…); empty for merchants with platform certificates.
   */
  publicKeyId: string;
  publicKey: string;
  baseUrl: string;
};

const liveHost = 'https://api.mch.weixin.qq.com';

/**
 * Parses the configuration of a WeChat merchant. Returns null while it is incomplete. WeChat Pay has no test API, so
 * the test mode is available only in demo and tests, where the sandbox replaces the API.
 */
export function parseWeChatAccount({ mode, fields, secrets }: PaymentConfig): WeChatAccount | null {
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
    baseUrl: getWeChatHost(mode),
  };
}

const hasHost = (mode: PaymentConfig['mode']) => mode === 'live' || getSandboxUrl('wechat', mode) !== undefined;

/** Returns the URL of WeChat's API for a mode; in demo and tests, that of the sandbox. */
function getWeChatHost(mode: PaymentConfig['mode']): string {
  return getSandboxUrl('wechat', mode) ?? liveHost;
}
