import { createDecipheriv, randomBytes, sign, verify } from 'node:crypto';
import { z } from 'zod';
import type { RunningGateway } from '../../../sandbox/start';
import type { Receiver } from './harness';
import { merchantPrivateKey, wechatMerchant } from './wechat-merchant';

type Headers = Receiver['calls'][number]['headers'];

const keysSchema = z.object({
  wechatPlatformSerial: z.string(),
  wechatPublicKeyId: z.string(),
  wechatPublicKeyPem: z.string(),
});

const encryptedSchema = z.object({
  algorithm: z.literal('AEAD_AES_256_GCM'),
  ciphertext: z.string(),
  associated_data: z.string(),
  nonce: z.string(),
});

const noticeSchema = z.object({
  id: z.string(),
  event_type: z.string(),
  resource_type: z.literal('encrypt-resource'),
  resource: encryptedSchema.extend({ original_type: z.string() }),
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

  function isSigned(raw: string, headers: Headers): boolean {
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
    get: (path: string) => call('GET', path),
    post: (path: string, content: object) => call('POST', path, content),
    query: (outTradeNo: string) =>
      call('GET', `/v3/pay/transactions/out-trade-no/${outTradeNo}?mchid=${wechatMerchant.mchid}`),
    /** The notifications that a receiver got, each verified and decrypted. */
    notices: (receiver: Receiver) =>
      receiver.calls.map(({ body, headers }) => {
        if (!isSigned(body, headers)) throw new Error('The signature is wrong');
        const { id, event_type, resource } = noticeSchema.parse(JSON.parse(body));
        return { id, event_type, resource: JSON.parse(decrypted(resource)) };
      }),
    decrypted: (json: unknown) => decrypted(encryptedSchema.parse(json)),
  };
}

function decrypted({ ciphertext, nonce, associated_data: associated }: z.infer<typeof encryptedSchema>): string {
  const bytes = Buffer.from(ciphertext, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(wechatMerchant.apiV3Key), Buffer.from(nonce));
  decipher.setAuthTag(bytes.subarray(-16)).setAAD(Buffer.from(associated));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
}

export function h5Body(outTradeNo = 'topup00001', total = 71_800) {
  return { ...nativeBody(outTradeNo, total), scene_info: { payer_client_ip: '127.0.0.1', h5_info: { type: 'Wap' } } };
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
