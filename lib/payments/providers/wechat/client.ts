import { z } from 'zod';
import { measureCall } from '@/lib/payments/providers/measure-call';
import { ProviderError, ProviderRefusal } from '@/lib/payments/providers/provider';
import type { WeChatAccount } from './account';
import { findWeChatKey } from './keys';
import { isSignedByWeChat, signWeChatRequest } from './signature';

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
export function callWeChat(
  account: WeChatAccount,
  method: 'GET' | 'POST',
  path: string,
  content?: object,
): Promise<unknown> {
  return measureCall('wechat', () => call(account, method, path, content));
}

async function call(account: WeChatAccount, method: 'GET' | 'POST', path: string, content?: object): Promise<unknown> {
  const { status, headers, raw } = await sendToWeChat(account, method, path, content);
  const json = raw.length === 0 ? null : parseJson(raw);
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

/** Returns undefined for invalid JSON. */
function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return undefined;
  }
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
    return { status: response.status, headers: response.headers, raw: await readLimited(response, limits.maxBytes) };
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    throw new ProviderError(`WeChat Pay did not respond: ${String(cause)}`.slice(0, 300), { cause });
  }
}

async function readLimited(response: Response, byteLimit: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > byteLimit) throw new ProviderError(`WeChat Pay returned more than ${byteLimit} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
