import { createHash, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '@/lib/errors';
import { parseProviderPayload } from '../parse-provider-payload';
import { ProviderError } from '../provider';
import type { WeChatAccount } from './account';
import { sendToWeChat } from './client';
import { isSignedByWeChat, openWeChatSealed } from './signature';

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
/** After WeChat did not answer as it should, as long as nobody is kept waiting for another try. */
const askAgainAfterMs = 10_000;
/** Accounts that were changed since are forgotten. */
const mostAccounts = 8;

type Keys = ReadonlyMap<string, KeyObject>;
type Known = {
  keys: Keys;
  /** Until then no serial is worth another question. */
  restsUntil: number;
  /** Why the last question failed; null when it did not. */
  failure: { thrown: unknown } | null;
  asking: Promise<Keys> | null;
};
const knownByAccount = new Map<string, Known>();

/**
 * WeChat's public key by the serial in its headers: for newer merchants one with an id (PUB_KEY_ID_…) that an admin
 * entered; for older ones a platform certificate, which WeChat hands out and changes every few years. Anybody can send
 * us serials: however many come, WeChat is asked once at a time and once a minute, after a failure once in ten seconds.
 * @returns null for a serial that WeChat does not know
 * @throws ProviderError when WeChat does not answer; AppError not_configured when the entered key is no key
 */
export async function weChatKey(account: WeChatAccount, serial: string): Promise<KeyObject | null> {
  if (serial === '') return null;
  if (serial === account.publicKeyId) return enteredKey(account.publicKey);
  if (!/^[0-9A-F]{16,64}$/i.test(serial)) return null;
  const known = knownOf(account);
  const key = known.keys.get(serial.toUpperCase());
  if (key) return key;
  if (known.asking === null && Date.now() < known.restsUntil) {
    if (known.failure) throw known.failure.thrown;
    return null;
  }
  known.asking ??= ask(account, known);
  return (await known.asking).get(serial.toUpperCase()) ?? null;
}

function knownOf(account: WeChatAccount): Known {
  const { baseUrl, apiV3Key, publicKeyId, publicKey } = account;
  const { mchid, serial, privateKey } = account.merchant;
  const entered = JSON.stringify([baseUrl, apiV3Key, publicKeyId, publicKey, mchid, serial, privateKey]);
  const place = createHash('sha256').update(entered).digest('base64');
  const known = knownByAccount.get(place) ?? { keys: new Map(), restsUntil: 0, failure: null, asking: null };
  knownByAccount.delete(place);
  knownByAccount.set(place, known);
  const [oldest] = knownByAccount.keys();
  if (knownByAccount.size > mostAccounts && oldest !== undefined) knownByAccount.delete(oldest);
  return known;
}

/** Known certificates stay good while WeChat is silent. */
async function ask(account: WeChatAccount, known: Known): Promise<Keys> {
  try {
    known.keys = await platformKeys(account);
    known.failure = null;
    known.restsUntil = Date.now() + askEveryMs;
    return known.keys;
  } catch (thrown) {
    known.failure = { thrown };
    known.restsUntil = Date.now() + askAgainAfterMs;
    throw thrown;
  } finally {
    known.asking = null;
  }
}

function enteredKey(pem: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch {
    throw new AppError('not_configured', 'The public key of WeChat Pay is not in PEM.');
  }
}

/** The certificates come sealed with the merchant's own key, and the answer must be signed by one of them. */
async function platformKeys(account: WeChatAccount): Promise<Keys> {
  const { status, headers, raw } = await sendToWeChat(account, 'GET', '/v3/certificates');
  if (status !== 200) throw new ProviderError(`WeChat Pay gave no certificates: ${status}`);
  const { data } = parseProviderPayload('WeChat Pay', certificatesSchema, parsed(raw));
  const keys = new Map<string, KeyObject>();
  for (const { serial_no, encrypt_certificate } of data) {
    const pem = openWeChatSealed(account.apiV3Key, encrypt_certificate);
    if (pem === null) throw new ProviderError('WeChat Pay’s certificates do not open with the API v3 key');
    const certificate = readCertificate(pem);
    const isInForce = Date.parse(certificate.validFrom) <= Date.now() && Date.now() <= Date.parse(certificate.validTo);
    if (isInForce) keys.set(serial_no.toUpperCase(), certificate.publicKey);
  }
  const signer = headers.get('wechatpay-serial') ?? '';
  const key =
    signer === account.publicKeyId && signer !== '' ? enteredKey(account.publicKey) : keys.get(signer.toUpperCase());
  if (!key || !isSignedByWeChat(raw, headers, key)) throw new ProviderError('WeChat Pay’s certificates are not signed');
  return keys;
}

function readCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new ProviderError('WeChat Pay gave a certificate that is none', { cause });
  }
}

function parsed(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return null;
  }
}
