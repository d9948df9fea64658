import { z } from 'zod';
import { newId } from '../ids';
import type { PaymentConfig } from './config';
import { privateKeyField } from './config-fields';
import type { ConnectionResult } from './test-connection';
import { weChatHost } from './wechat-account';
import { weChatAuthorization } from './wechat-signature';

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
  const path = `/v3/pay/transactions/out-trade-no/${newId()}?mchid=${encodeURIComponent(mchid)}`;
  const answer = await fetch(new URL(path, weChatHost(mode)), {
    headers: {
      accept: 'application/json',
      authorization: weChatAuthorization({ mchid, serial, privateKey: key }, 'GET', path, ''),
    },
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
