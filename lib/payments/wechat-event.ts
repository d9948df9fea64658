import { z } from 'zod';
import type { ProviderMode } from '../../db/schema/topups';
import { AppError } from '../errors';
import { type EventSubject, ProviderError, type ProviderEvent } from './provider';
import { understood } from './understood';
import type { WeChatAccount } from './wechat-account';
import { weChatKey } from './wechat-keys';
import { claimsWeChatSignature, isSignedByWeChat, openWeChatSealed } from './wechat-signature';

const eventSchema = z.object({
  id: z.string().min(1),
  event_type: z.string().min(1),
  resource: z.object({ ciphertext: z.string(), nonce: z.string(), associated_data: z.string().optional() }),
});

/**
 * Checks, opens and reads a notification.
 * @returns null when WeChat did not sign it, signed it more than five minutes ago, or sealed it for another merchant
 * @throws AppError invalid_input when it is no JSON; ProviderError when WeChat's certificates are needed and do not come
 */
export async function weChatEvent(
  account: WeChatAccount,
  mode: ProviderMode,
  raw: Buffer,
  headers: Pick<Headers, 'get'>,
): Promise<ProviderEvent | null> {
  if (!claimsWeChatSignature(headers)) return null;
  const key = await weChatKey(account, headers.get('wechatpay-serial') ?? '');
  if (!key || !isSignedByWeChat(raw, headers, key)) return null;
  const { id, event_type: type, resource } = understood('WeChat Pay', eventSchema, parsed(raw.toString('utf8')));
  const opened = openWeChatSealed(account.apiV3Key, resource);
  if (opened === null) return null;
  return weChatStored({ id, event_type: type, resource: parsed(opened) }, { mchid: account.merchant.mchid, mode });
}

const namesSchema = z.object({
  mchid: z.string(),
  out_trade_no: z.string().min(1),
  out_refund_no: z.string().min(1).optional(),
});
const storedSchema = z.object({ id: z.string(), event_type: z.string(), resource: z.unknown() });

/** Reads a notification that was checked and opened. @throws ProviderError when it is none */
export function weChatStored(payload: unknown, merchant: { mchid: string; mode: ProviderMode }): ProviderEvent {
  const { id, event_type: type, resource: told } = understood('WeChat Pay', storedSchema, payload);
  const subjects = (): EventSubject[] => {
    const isPayment = type.startsWith('TRANSACTION.');
    if (!isPayment && !type.startsWith('REFUND.')) return [];
    const { mchid, out_trade_no, out_refund_no } = understood('WeChat Pay', namesSchema, told);
    if (mchid !== merchant.mchid) {
      throw new ProviderError(`WeChat Pay told about the merchant ${mchid} instead of ${merchant.mchid}`);
    }
    if (isPayment) return [{ object: 'checkout', id: out_trade_no }];
    if (!out_refund_no) throw new ProviderError('WeChat Pay’s refund has no out_refund_no');
    return [{ object: 'refund', id: out_refund_no }];
  };
  return { eventId: id, type, mode: merchant.mode, payload, subjects };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('invalid_input', 'The notification cannot be read.');
  }
}
