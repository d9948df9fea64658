import { createPrivateKey, randomBytes, sign } from 'node:crypto';
import { z } from 'zod';
import { env } from '../env';
import { newId } from '../ids';
import type { PaymentConfig } from './config';
import { privateKeyField } from './config-fields';
import type { ConnectionResult } from './test-connection';

const host = 'https://api.mch.weixin.qq.com';
const refusal = z.object({ code: z.string(), message: z.string().default('') });
/** WeChat's two spellings of "there is no such order": it knew us and looked for it. */
const unknownOrder = new Set(['ORDER_NOT_EXIST', 'ORDERNOTEXIST']);

/** Asks for an order that does not exist, signed: only a merchant it knows gets told so. */
export async function testWeChat(
  { mode, fields, secrets }: PaymentConfig,
  timeoutMs: number,
): Promise<ConnectionResult> {
  const { mchid, serial_no: serial } = fields;
  const key = secrets[privateKeyField];
  const missing = [
    ...(mchid ? [] : ['merchant ID']),
    ...(fields.appid ? [] : ['AppID']),
    ...(serial ? [] : ['certificate serial']),
    ...(key ? [] : ['private key']),
    ...(secrets.api_v3_key ? [] : ['API v3 key']),
  ];
  if (!mchid || !serial || !key || missing.length > 0) {
    return { ok: false, message: `Not saved for this mode: ${missing.join(', ')}.` };
  }
  const base = (mode === 'live' ? undefined : env().WECHAT_BASE_URL) ?? host;
  const path = `/v3/pay/transactions/out-trade-no/${newId()}?mchid=${encodeURIComponent(mchid)}`;
  const answer = await fetch(new URL(path, base), {
    headers: { accept: 'application/json', authorization: signed({ mchid, serial, key }, path) },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const said = refusal.safeParse(parsed(await answer.text()));
  if (said.success && unknownOrder.has(said.data.code)) {
    return { ok: true, message: `WeChat Pay accepts the merchant ID, serial and private key (${mode} mode).` };
  }
  if (answer.status === 401) {
    return {
      ok: false,
      message: 'WeChat Pay does not accept the signature: merchant ID, serial and key do not match.',
    };
  }
  const reason = said.success ? `${said.data.code} ${said.data.message}`.trim() : `status ${answer.status}`;
  return { ok: false, message: `WeChat Pay refused: ${reason}`.slice(0, 300) };
}

/** The Authorization header of a GET, as WeChat Pay APIv3 wants it. */
function signed({ mchid, serial, key }: { mchid: string; serial: string; key: string }, path: string): string {
  const timestamp = Math.floor(Date.now() / 1000);
  const nonce = randomBytes(16).toString('hex');
  const text = `GET\n${path}\n${timestamp}\n${nonce}\n\n`;
  const signature = sign('sha256', Buffer.from(text), createPrivateKey(key)).toString('base64');
  const parts = { mchid, nonce_str: nonce, timestamp, serial_no: serial, signature };
  const list = Object.entries(parts).map(([name, value]) => `${name}="${value}"`);
  return `WECHATPAY2-SHA256-RSA2048 ${list.join(',')}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
