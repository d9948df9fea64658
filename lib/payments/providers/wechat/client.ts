import { createHash, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '@/lib/errors';
import { ProviderError, ProviderRefusal } from '@/lib/payments/providers/provider';
import {
  cacheNewest,
  measureCall,
  parseJson,
  parseProviderPayload,
  readLimited,
} from '@/lib/payments/providers/provider-calls';
import { decryptWeChat, isSignedByWeChat, signWeChatRequest, type WeChatAccount } from './merchant';

/** WeChat rejected the request; `refusalCode` is its error code, e.g. ORDER_PAID. */
export class WeChatRefusal extends ProviderRefusal {
  constructor(
    httpStatus: number,
    readonly refusalCode: string,
  ) {
    super(`WeChat Pay refused (${httpStatus}): ${refusalCode}`, httpStatus);
  }
}

const refusal = z.object({ code: z.string().min(1) });

/**
 * Sends a request and verifies the signature of the response.
 * @returns the JSON; null for an empty response
 * @throws WeChatRefusal, or ProviderError when the response is missing, unsigned or invalid
 */
export function callWeChat(account: WeChatAccount, method: 'GET' | 'POST', path: string, content?: object) {
  return measureCall('wechat', () => call(account, method, path, content));
}

async function call(account: WeChatAccount, method: 'GET' | 'POST', path: string, content?: object): Promise<unknown> {
  const { status, headers, raw } = await sendToWeChat(account, method, path, content);
  const json = raw.length === 0 ? null : parseJson(raw.toString('utf8'));
  if (status < 200 || status > 299) {
    const error = refusal.safeParse(json);
    throw error.success
      ? new WeChatRefusal(status, error.data.code)
      : new ProviderError(`WeChat Pay returned ${status}`);
  }
  const key = await findWeChatKey(account, headers.get('wechatpay-serial') ?? '');
  if (!key || !isSignedByWeChat(raw, headers, key)) throw new ProviderError('WeChat Pay’s response is not signed');
  if (json === undefined) throw new ProviderError('WeChat Pay did not return JSON');
  return json;
}

/** Timeout of calls during checkout. */
const timeoutMs = 10_000;
const maxBytes = 1024 * 1024;
const userAgent = 'LinkMarket';

export type WeChatResponse = { status: number; headers: Headers; raw: Buffer };

/**
 * Sends a signed request without verifying the response; see `callWeChat`. The header `Wechatpay-Serial` selects
 * WeChat's key for the signature of the response. Without it, a merchant that migrates from platform certificates to
 * the public key still receives responses signed with a certificate.
 * @param path including the query
 * @param limits of the response, for large downloads
 * @throws ProviderError when the request fails or the response is too large
 */
export async function sendToWeChat(
  { merchant, baseUrl, publicKeyId }: WeChatAccount,
  method: 'GET' | 'POST',
  path: string,
  content?: object,
  limits: { timeoutMs: number; maxBytes: number } = { timeoutMs, maxBytes },
): Promise<WeChatResponse> {
  const body = content === undefined ? '' : JSON.stringify(content);
  try {
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': userAgent,
        authorization: signWeChatRequest(merchant, method, path, body),
        ...(publicKeyId !== '' && { 'wechatpay-serial': publicKeyId }),
      },
      ...(body !== '' && { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(limits.timeoutMs),
    });
    const raw = await readLimited(response, limits.maxBytes);
    if (raw === null) throw new ProviderError(`WeChat Pay returned more than ${limits.maxBytes} bytes`);
    return { status: response.status, headers: response.headers, raw };
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    throw new ProviderError(`WeChat Pay did not respond: ${String(cause)}`.slice(0, 300), { cause });
  }
}

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

/** An unknown serial may be a new certificate or a forgery, so certificates are fetched at most this often. */
const refreshIntervalMs = 60_000;
/** Minimum interval after a failed request. */
const retryAfterMs = 10_000;
/** Limits the cache, so that replaced accounts are dropped. */
const maxAccounts = 8;

type Keys = ReadonlyMap<string, KeyObject>;
type KeyCache = {
  keys: Keys;
  /** No request is sent before this time. */
  nextRefreshAt: number;
  /** The error of the last request; null when it succeeded. */
  failure: { thrown: unknown } | null;
  pending: Promise<Keys> | null;
};
const cacheByAccount = new Map<string, KeyCache>();

/**
 * Returns WeChat's public key for the serial in its headers. Newer merchants have a public key with an id
 * (PUB_KEY_ID_…) that an admin entered. Older ones have a platform certificate, which WeChat distributes and rotates
 * every few years. A forged request can contain any serial, so at most one request is pending at a time, once a minute,
 * and after a failure once in ten seconds.
 * @returns null for an unknown serial
 * @throws ProviderError when WeChat does not respond; AppError not_configured when the entered key is invalid
 */
export async function findWeChatKey(account: WeChatAccount, serial: string): Promise<KeyObject | null> {
  if (serial === '') return null;
  if (serial === account.publicKeyId) return parsePublicKey(account.publicKey);
  if (!/^[0-9A-F]{16,64}$/i.test(serial)) return null;
  const cache = getKeyCache(account);
  const key = cache.keys.get(serial.toUpperCase());
  if (key) return key;
  if (cache.pending === null && Date.now() < cache.nextRefreshAt) {
    if (cache.failure) throw cache.failure.thrown;
    return null;
  }
  cache.pending ??= refreshKeys(account, cache);
  return (await cache.pending).get(serial.toUpperCase()) ?? null;
}

function getKeyCache(account: WeChatAccount): KeyCache {
  const { baseUrl, apiV3Key, publicKeyId, publicKey } = account;
  const { mchid, serial, privateKey } = account.merchant;
  const entered = JSON.stringify([baseUrl, apiV3Key, publicKeyId, publicKey, mchid, serial, privateKey]);
  const place = createHash('sha256').update(entered).digest('base64');
  const cache = cacheByAccount.get(place) ?? { keys: new Map(), nextRefreshAt: 0, failure: null, pending: null };
  cacheNewest(cacheByAccount, place, cache, maxAccounts);
  return cache;
}

/** Fetches the certificates again. Cached ones remain in use when the request fails. */
async function refreshKeys(account: WeChatAccount, cache: KeyCache): Promise<Keys> {
  try {
    cache.keys = await fetchPlatformKeys(account);
    cache.failure = null;
    cache.nextRefreshAt = Date.now() + refreshIntervalMs;
    return cache.keys;
  } catch (thrown) {
    cache.failure = { thrown };
    cache.nextRefreshAt = Date.now() + retryAfterMs;
    throw thrown;
  } finally {
    cache.pending = null;
  }
}

function parsePublicKey(pem: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch {
    throw new AppError('not_configured', 'The public key of WeChat Pay is not in PEM format.');
  }
}

/**
 * Fetches the platform certificates. They are encrypted with the merchant's API v3 key, and one of them must have
 * signed the response.
 */
async function fetchPlatformKeys(account: WeChatAccount): Promise<Keys> {
  const { status, headers, raw } = await sendToWeChat(account, 'GET', '/v3/certificates');
  if (status !== 200) throw new ProviderError(`WeChat Pay returned no certificates: ${status}`);
  const { data } = parseProviderPayload('WeChat Pay', certificatesSchema, parseJson(raw.toString('utf8')));
  const keys = new Map<string, KeyObject>();
  for (const { serial_no, encrypt_certificate } of data) {
    const pem = decryptWeChat(account.apiV3Key, encrypt_certificate);
    if (pem === null) throw new ProviderError('WeChat Pay’s certificates cannot be decrypted with the API v3 key');
    const certificate = parseCertificate(pem);
    const isValidNow = Date.parse(certificate.validFrom) <= Date.now() && Date.now() <= Date.parse(certificate.validTo);
    if (isValidNow) keys.set(serial_no.toUpperCase(), certificate.publicKey);
  }
  const signer = headers.get('wechatpay-serial') ?? '';
  const key =
    signer === account.publicKeyId && signer !== ''
      ? parsePublicKey(account.publicKey)
      : keys.get(signer.toUpperCase());
  if (!key || !isSignedByWeChat(raw, headers, key)) throw new ProviderError('WeChat Pay’s certificates are not signed');
  return keys;
}

function parseCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new ProviderError('WeChat Pay returned an invalid certificate', { cause });
  }
}
