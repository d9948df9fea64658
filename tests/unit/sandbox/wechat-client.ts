import { randomBytes, sign, verify } from 'node:crypto';
import { z } from 'zod';
import type { RunningGateway } from '@/sandbox/start';
import { merchantPrivateKey, wechatMerchant } from './wechat-merchant';

const keysSchema = z.object({
  wechatPlatformSerial: z.string(),
  wechatPublicKeyId: z.string(),
  wechatPublicKeyPem: z.string(),
});

/** An APIv3 merchant: signs requests and verifies responses. */
export async function wechatClient(gateway: RunningGateway) {
  const origin = `http://127.0.0.1:${gateway.ports.wechat}`;
  const keys = keysSchema.parse(await (await fetch(`${gateway.url}/controls/keys`)).json());

  async function call(method: 'GET' | 'POST', path: string, content?: object, forged: { text?: string } = {}) {
    const body = content === undefined ? '' : JSON.stringify(content);
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const nonce = randomBytes(16).toString('hex');
    const text = forged.text ?? `${method}\n${path}\n${timestamp}\n${nonce}\n${body}\n`;
    const signature = sign('sha256', Buffer.from(text), merchantPrivateKey).toString('base64');
    const parts = `mchid="${wechatMerchant.mchid}",nonce_str="${nonce}",signature="${signature}",timestamp="${timestamp}",serial_no="${wechatMerchant.merchantSerial}"`;
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        authorization: `WECHATPAY2-SHA256-RSA2048 ${parts}`,
      },
      ...(body !== '' && { body }),
    });
    const raw = await answer.text();
    const serial = answer.headers.get('wechatpay-serial');
    if (answer.status !== 401 && !isSigned(raw, Object.fromEntries(answer.headers))) throw new Error('Not signed');
    return { status: answer.status, serial, body: raw === '' ? null : JSON.parse(raw) };
  }

  function isSigned(raw: string, headers: Record<string, string>): boolean {
    const serial = headers['wechatpay-serial'];
    if (serial !== keys.wechatPublicKeyId && serial !== keys.wechatPlatformSerial) return false;
    const text = `${headers['wechatpay-timestamp']}\n${headers['wechatpay-nonce']}\n${raw}\n`;
    const signature = Buffer.from(String(headers['wechatpay-signature']), 'base64');
    return verify('sha256', Buffer.from(text), keys.wechatPublicKeyPem, signature);
  }

  return {
    keys,
    origin,
    call,
    post: (path: string, content: object) => call('POST', path, content),
    query: (outTradeNo: string) =>
      call('GET', `/v3/pay/transactions/out-trade-no/${outTradeNo}?mchid=${wechatMerchant.mchid}`),
  };
}

export function nativeBody(outTradeNo = 'topup00001', total = 71_800) {
  return {
    appid: wechatMerchant.appid,
    mchid: wechatMerchant.mchid,
    description: 'Wallet top-up',
    out_trade_no: outTradeNo,
    notify_url: 'http://127.0.0.1:9/api/payments/wechat/webhook',
    amount: { total, currency: 'CNY' },
  };
}
