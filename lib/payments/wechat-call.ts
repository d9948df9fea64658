import { z } from 'zod';
import { ProviderError, ProviderRefusal } from './provider';
import type { WeChatAccount } from './wechat-account';
import { weChatKey } from './wechat-keys';
import { sendToWeChat } from './wechat-send';
import { isSignedByWeChat } from './wechat-signature';

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
