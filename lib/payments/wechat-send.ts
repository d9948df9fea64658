import { ProviderError } from './provider';
import type { WeChatAccount } from './wechat-account';
import { weChatAuthorization } from './wechat-signature';

/** A buyer waits for these calls. */
const timeoutMs = 10_000;
const userAgent = 'LinkMarket';

export type WeChatAnswer = { status: number; headers: Headers; raw: Buffer };

/**
 * Sends one signed request. The answer is not checked yet: see wechat-call.ts.
 * @param path with its query
 * @throws ProviderError when no answer comes
 */
export async function sendToWeChat(
  { merchant, baseUrl }: WeChatAccount,
  method: 'GET' | 'POST',
  path: string,
  content?: object,
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
      },
      ...(body !== '' && { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, headers: response.headers, raw: Buffer.from(await response.arrayBuffer()) };
  } catch (cause) {
    throw new ProviderError(`WeChat Pay did not answer: ${String(cause)}`.slice(0, 300), { cause });
  }
}
