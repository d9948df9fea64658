import { createDecipheriv, createPrivateKey, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import { z } from 'zod';
import { getSandboxUrl, type PaymentConfig } from '@/lib/payments/config/config';

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
  const baseUrl = getSandboxUrl('wechat', mode) ?? (mode === 'live' ? liveHost : undefined);
  if (!plain.success || !secret.success || baseUrl === undefined) return null;
  const { mchid, appid, serial_no: serial, public_key_id: publicKeyId, public_key: publicKey } = plain.data;
  return {
    merchant: { mchid, serial, privateKey: secret.data.private_key },
    appid,
    apiV3Key: secret.data.api_v3_key,
    publicKeyId,
    publicKey,
    baseUrl,
  };
}

/** The merchant that signs requests. */
type WeChatMerchant = {
  mchid: string;
  /** Serial number of the merchant's certificate, in hex. */
  serial: string;
  /** PEM, PKCS#8. */
  privateKey: string;
};

const scheme = 'WECHATPAY2-SHA256-RSA2048';
/** WeChat's clock tolerance, also used as the replay window. */
const toleranceSeconds = 300;
const tagBytes = 16;

/**
 * Returns the Authorization header of a request for WeChat Pay APIv3.
 * @param path including the query
 * @param body empty for a GET
 */
export function signWeChatRequest(merchant: WeChatMerchant, method: string, path: string, body: string): string {
  const timestamp = Math.floor(Date.now() / 1000);
  const nonce = randomBytes(16).toString('hex');
  const text = `${method}\n${path}\n${timestamp}\n${nonce}\n${body}\n`;
  const signature = sign('RSA-SHA256', Buffer.from(text), createPrivateKey(merchant.privateKey)).toString('base64');
  const parts = { mchid: merchant.mchid, nonce_str: nonce, timestamp, serial_no: merchant.serial, signature };
  const list = Object.entries(parts).map(([name, value]) => `${name}="${value}"`);
  return `${scheme} ${list.join(',')}`;
}

/** Checks whether the headers contain a well-formed, recent signature. A cheap check before a key is fetched. */
export function hasWeChatSignature(headers: Pick<Headers, 'get'>): boolean {
  const header = (name: string) => headers.get(`wechatpay-${name}`) ?? '';
  const timestamp = header('timestamp');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  if (header('signature-type') !== '' && header('signature-type') !== scheme) return false;
  return header('nonce') !== '' && /^[A-Za-z0-9+/]{40,}={0,2}$/.test(header('signature'));
}

/**
 * Verifies that WeChat signed this response or webhook event recently, over the raw bytes.
 * @param key WeChat's public key with the serial in the headers
 */
export function isSignedByWeChat(raw: Buffer, headers: Pick<Headers, 'get'>, key: KeyObject): boolean {
  if (!hasWeChatSignature(headers)) return false;
  const header = (name: string) => headers.get(`wechatpay-${name}`) ?? '';
  const timestamp = header('timestamp');
  const signed = Buffer.concat([Buffer.from(`${timestamp}\n${header('nonce')}\n`), raw, Buffer.from('\n')]);
  return verify('RSA-SHA256', signed, key, Buffer.from(header('signature'), 'base64'));
}

/** Data that WeChat encrypted for a merchant: AES-256-GCM with the tag appended. */
type WeChatCiphertext = { ciphertext: string; nonce: string; associated_data?: string | undefined };

/** Decrypts data from WeChat. @returns the text, or null when it was not encrypted with this key */
export function decryptWeChat(apiV3Key: string, { ciphertext, nonce, associated_data }: WeChatCiphertext) {
  const sealed = Buffer.from(ciphertext, 'base64');
  if (sealed.length < tagBytes) return null;
  try {
    const opening = createDecipheriv('aes-256-gcm', Buffer.from(apiV3Key), Buffer.from(nonce), {
      authTagLength: tagBytes,
    })
      .setAAD(Buffer.from(associated_data ?? ''))
      .setAuthTag(sealed.subarray(-tagBytes));
    return Buffer.concat([opening.update(sealed.subarray(0, -tagBytes)), opening.final()]).toString('utf8');
  } catch {
    return null;
  }
}
