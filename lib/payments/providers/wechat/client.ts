import { z } from 'zod';
import { ProviderError, ProviderRefusal } from '../provider';
import type { WeChatAccount } from './account';
import { weChatKey } from './keys';
import { isSignedByWeChat, weChatAuthorization } from './signature';

/** WeChat understood the call and refused it; `code` is its name for the reason, e.g. ORDER_PAID. */
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
 * One call, its answer checked: what WeChat did not sign is not believed.
 * @returns the JSON; null for an answer without content
 * @throws WeChatRefusal, or ProviderError for no answer or one that cannot be trusted or read
 */
export async function callWeChat(
  account: WeChatAccount,
  method: 'GET' | 'POST',
  path: string,
  content?: object,
): Promise<unknown> {
  const { status, headers, raw } = await sendToWeChat(account, method, path, content);
  const json = raw.length === 0 ? null : parsed(raw);
  if (status < 200 || status > 299) {
    const said = refusal.safeParse(json);
    throw said.success ? new WeChatRefusal(status, said.data.code) : new ProviderError(`WeChat Pay answered ${status}`);
  }
  const key = await weChatKey(account, headers.get('wechatpay-serial') ?? '');
  if (!key || !isSignedByWeChat(raw, headers, key)) throw new ProviderError('WeChat Pay’s answer is not signed');
  if (json === undefined) throw new ProviderError('WeChat Pay answered what is no JSON');
  return json;
}

/** Undefined for what is no JSON. */
function parsed(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A buyer waits for these calls. */
const timeoutMs = 10_000;
const maxBytes = 1024 * 1024;
const userAgent = 'LinkMarket';

export type WeChatAnswer = { status: number; headers: Headers; raw: Buffer };

/**
 * Sends one signed request. The answer is not checked yet: see wechat-call.ts.
 * `Wechatpay-Serial` tells WeChat which of its keys to sign the answer with: without it, a merchant who changes from
 * platform certificates to the public key still gets answers signed with a certificate.
 * @param path with its query
 * @param limits of the answer, where it may be large
 * @throws ProviderError when no answer comes, or a larger one
 */
export async function sendToWeChat(
  { merchant, baseUrl, publicKeyId }: WeChatAccount,
  method: 'GET' | 'POST',
  path: string,
  content?: object,
  limits: { timeoutMs: number; maxBytes: number } = { timeoutMs, maxBytes },
): Promise<WeChatAnswer> {
  const body = content === undefined ? '' : JSON.stringify(content);
  try {
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': userAgent,
        authorization: weChatAuthorization(merchant, method, path, body),
        ...(publicKeyId !== '' && { 'wechatpay-serial': publicKeyId }),
      },
      ...(body !== '' && { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(limits.timeoutMs),
    });
    return { status: response.status, headers: response.headers, raw: await readAnswer(response, limits.maxBytes) };
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    throw new ProviderError(`WeChat Pay did not answer: ${String(cause)}`.slice(0, 300), { cause });
  }
}

async function readAnswer(response: Response, mostBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > mostBytes) throw new ProviderError(`WeChat Pay answered more than ${mostBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
