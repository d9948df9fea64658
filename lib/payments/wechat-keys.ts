import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../errors';
import { ProviderError } from './provider';
import { understood } from './understood';
import type { WeChatAccount } from './wechat-account';
import { sendToWeChat } from './wechat-send';
import { isSignedByWeChat, openWeChatSealed } from './wechat-signature';

const certificatesSchema = z.object({
  data: z.array(
    z.object({
      serial_no: z.string().min(1),
      encrypt_certificate: z.object({
        ciphertext: z.string(),
        nonce: z.string(),
        associated_data: z.string().optional(),
      }),
    }),
  ),
});

/** An unknown serial may be a new certificate, or a forgery: it is asked for no more often than this. */
const askEveryMs = 60_000;

type Known = { askedAt: number; keys: Map<string, KeyObject> };
const knownByAccount = new Map<string, Known>();

/**
 * WeChat's public key by the serial in its headers: for newer merchants one with an id (PUB_KEY_ID_…) that an admin
 * entered; for older ones a platform certificate, which WeChat hands out and changes every few years.
 * @returns null for a serial that WeChat does not know
 * @throws ProviderError when WeChat does not answer; AppError not_configured when the entered key is no key
 */
export async function weChatKey(account: WeChatAccount, serial: string): Promise<KeyObject | null> {
  if (serial === '') return null;
  if (serial === account.publicKeyId) return enteredKey(account.publicKey);
  if (!/^[0-9A-F]{16,64}$/i.test(serial)) return null;
  const place = `${account.baseUrl} ${account.merchant.mchid} ${account.apiV3Key}`;
  const known = knownByAccount.get(place);
  const key = known?.keys.get(serial.toUpperCase());
  if (key || (known && Date.now() - known.askedAt < askEveryMs)) return key ?? null;
  const keys = await platformKeys(account);
  knownByAccount.set(place, { askedAt: Date.now(), keys });
  return keys.get(serial.toUpperCase()) ?? null;
}

function enteredKey(pem: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch {
    throw new AppError('not_configured', 'The public key of WeChat Pay is not in PEM.');
  }
}

/** The certificates come sealed with the merchant's own key, and the answer must be signed by one of them. */
async function platformKeys(account: WeChatAccount): Promise<Map<string, KeyObject>> {
  const { status, headers, raw } = await sendToWeChat(account, 'GET', '/v3/certificates');
  if (status !== 200) throw new ProviderError(`WeChat Pay gave no certificates: ${status}`);
  const { data } = understood('WeChat Pay', certificatesSchema, parsed(raw));
  const keys = new Map<string, KeyObject>();
  for (const { serial_no, encrypt_certificate } of data) {
    const pem = openWeChatSealed(account.apiV3Key, encrypt_certificate);
    if (pem === null) throw new ProviderError('WeChat Pay’s certificates do not open with the API v3 key');
    const certificate = new X509Certificate(pem);
    const isInForce = Date.parse(certificate.validFrom) <= Date.now() && Date.now() <= Date.parse(certificate.validTo);
    if (isInForce) keys.set(serial_no.toUpperCase(), certificate.publicKey);
  }
  const signer = headers.get('wechatpay-serial') ?? '';
  const key =
    signer === account.publicKeyId && signer !== '' ? enteredKey(account.publicKey) : keys.get(signer.toUpperCase());
  if (!key || !isSignedByWeChat(raw, headers, key)) throw new ProviderError('WeChat Pay’s certificates are not signed');
  return keys;
}

function parsed(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return null;
  }
}
