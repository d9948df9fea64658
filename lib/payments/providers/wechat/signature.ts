import { createDecipheriv, createPrivateKey, type KeyObject, randomBytes, sign, verify } from 'node:crypto';

/** Who signs our requests. */
export type WeChatMerchant = {
  mchid: string;
  /** Of the merchant's certificate, in hex. */
  serial: string;
  /** PEM, PKCS#8. */
  privateKey: string;
};

const scheme = 'WECHATPAY2-SHA256-RSA2048';
/** WeChat's own tolerance for clocks, and ours for replays. */
const toleranceSeconds = 300;
const tagBytes = 16;

/**
 * The Authorization header of a request, as WeChat Pay APIv3 wants it.
 * @param path with its query; `body` is empty for a GET
 */
export function weChatAuthorization(merchant: WeChatMerchant, method: string, path: string, body: string): string {
  const timestamp = Math.floor(Date.now() / 1000);
  const nonce = randomBytes(16).toString('hex');
  const text = `${method}\n${path}\n${timestamp}\n${nonce}\n${body}\n`;
  const signature = sign('RSA-SHA256', Buffer.from(text), createPrivateKey(merchant.privateKey)).toString('base64');
  const parts = { mchid: merchant.mchid, nonce_str: nonce, timestamp, serial_no: merchant.serial, signature };
  const list = Object.entries(parts).map(([name, value]) => `${name}="${value}"`);
  return `${scheme} ${list.join(',')}`;
}

/** Could it be signed by WeChat, and now? Costs nothing: for before a key is asked for. */
export function claimsWeChatSignature(headers: Pick<Headers, 'get'>): boolean {
  const header = (name: string) => headers.get(`wechatpay-${name}`) ?? '';
  const timestamp = header('timestamp');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  if (header('signature-type') !== '' && header('signature-type') !== scheme) return false;
  return header('nonce') !== '' && /^[A-Za-z0-9+/]{40,}={0,2}$/.test(header('signature'));
}

/**
 * Is this answer or notification signed by WeChat, and now? Over the bytes as they came.
 * @param key WeChat's public key of the serial that the headers name
 */
export function isSignedByWeChat(raw: Buffer, headers: Pick<Headers, 'get'>, key: KeyObject): boolean {
  if (!claimsWeChatSignature(headers)) return false;
  const header = (name: string) => headers.get(`wechatpay-${name}`) ?? '';
  const timestamp = header('timestamp');
  const signed = Buffer.concat([Buffer.from(`${timestamp}\n${header('nonce')}\n`), raw, Buffer.from('\n')]);
  return verify('RSA-SHA256', signed, key, Buffer.from(header('signature'), 'base64'));
}

/** What WeChat encrypts for a merchant: AES-256-GCM, the tag behind the text. */
export type WeChatSealed = { ciphertext: string; nonce: string; associated_data?: string | undefined };

/** @returns the text, or null when it was not sealed with this key */
export function openWeChatSealed(
  apiV3Key: string,
  { ciphertext, nonce, associated_data }: WeChatSealed,
): string | null {
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
