import { z } from 'zod';
import { newId } from '../ids';
import type { PaymentConfig } from './config';
import { privateKeyField } from './config-fields';
import { ProviderError } from './provider';
import type { ConnectionResult } from './test-connection';
import { type WeChatAccount, weChatAccount } from './wechat-account';
import { weChatKey } from './wechat-keys';
import { sendToWeChat, type WeChatAnswer } from './wechat-send';
import { isSignedByWeChat } from './wechat-signature';

const refusal = z.object({ code: z.string(), message: z.string().default('') });
/** WeChat's two spellings of "there is no such order": it knew us and looked for it. */
const unknownOrder = new Set(['ORDER_NOT_EXIST', 'ORDERNOTEXIST']);

const failed = (message: string): ConnectionResult => ({ ok: false, message: message.slice(0, 300) });

/**
 * Asks for an order that does not exist, signed: only a merchant it knows is told so. The answer's signature shows
 * whether we could believe WeChat in turn.
 */
export async function testWeChat(config: PaymentConfig): Promise<ConnectionResult> {
  const missing = missingOf(config);
  if (missing.length > 0) return failed(`Not saved for this mode: ${missing.join(', ')}.`);
  const account = weChatAccount(config);
  if (!account) {
    const isShort = Buffer.byteLength(config.secrets.api_v3_key ?? '') !== 32;
    return failed(
      isShort
        ? 'API key must be exactly 32 characters.'
        : 'WeChat Pay has no test system: only Live mode can be used outside of the demo.',
    );
  }
  const { mchid } = account.merchant;
  const path = `/v3/pay/transactions/out-trade-no/${newId()}?mchid=${encodeURIComponent(mchid)}`;
  try {
    const answer = await sendToWeChat(account, 'GET', path);
    const refused = refusedBecause(answer);
    if (refused !== null) return failed(refused);
    if (!(await isBelieved(account, answer))) {
      return failed('WeChat Pay accepts our key, but its own signature does not fit: check its public key and ID.');
    }
    return { ok: true, message: `WeChat Pay accepts the merchant ID, serial and private key (${config.mode} mode).` };
  } catch (thrown) {
    if (!(thrown instanceof ProviderError)) throw thrown;
    return failed(`${thrown.reason}.`);
  }
}

function missingOf({ fields, secrets }: PaymentConfig): string[] {
  const wanted: [string, string | undefined][] = [
    ['merchant ID', fields.mchid],
    ['AppID', fields.appid],
    ['API v3 key', secrets.api_v3_key],
    ['certificate serial', fields.serial_no],
    ['private key', secrets[privateKeyField]],
  ];
  return wanted.filter(([, value]) => !value).map(([name]) => name);
}

/** Null when it knew us. */
function refusedBecause({ status, raw }: WeChatAnswer): string | null {
  const said = refusal.safeParse(parsed(raw.toString('utf8')));
  if (said.success && unknownOrder.has(said.data.code)) return null;
  if (status === 401) return 'WeChat Pay does not accept the signature: merchant ID, serial and key do not match.';
  return `WeChat Pay refused: ${said.success ? `${said.data.code} ${said.data.message}`.trim() : `status ${status}`}`;
}

async function isBelieved(account: WeChatAccount, { headers, raw }: WeChatAnswer): Promise<boolean> {
  const key = await weChatKey(account, headers.get('wechatpay-serial') ?? '');
  return key !== null && isSignedByWeChat(raw, headers, key);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
