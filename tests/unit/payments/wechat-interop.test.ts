import { createPublicKey, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { Aes, Formatter, Rsa, Wechatpay } from 'wechatpay-axios-plugin';
import { decryptWeChat, isSignedByWeChat, signWeChatRequest } from '@/lib/payments/providers/wechat/merchant';
import type { RunningGateway } from '@/sandbox/start';
import { control, openGateway, type Receiver, startReceiver } from '@/tests/unit/sandbox/harness';
import { nativeBody, wechatClient } from '@/tests/unit/sandbox/wechat-client';
import { merchantPrivateKey, wechatMerchant } from '@/tests/unit/sandbox/wechat-merchant';

// Verified with an independent implementation: it accepts our signatures, and we accept and decrypt its messages.

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const bodies = ['', '{}', '{"description":"微信 – 10 €","n":1}', `${'x'.repeat(5_000)}\n`];
const paths = ['/v3/certificates', '/v3/pay/transactions/out-trade-no/a1?mchid=1900000109', '/v3/a?b=%E5%BE%AE&c=d+e'];

describe('our requests', () => {
  it.each(paths.flatMap((path) => bodies.map((body): [string, string] => [path, body])))(
    'are verified by the other implementation: %s',
    (path, body) => {
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      const header = signWeChatRequest({ mchid: '1900000109', serial: 'ABCDEF', privateKey: pem }, 'POST', path, body);
      const parts = Object.fromEntries(
        [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
      );
      const { timestamp = '', nonce_str: nonce = '', signature = '' } = parts;
      expect(Rsa.verify(Formatter.request('POST', path, timestamp, nonce, body), signature, publicKey)).toBe(true);
      expect(Rsa.verify(Formatter.request('GET', path, timestamp, nonce, body), signature, publicKey)).toBe(false);
      // The same header with its parts in another order.
      const theirs = Formatter.authorization('1900000109', nonce, signature, timestamp, 'ABCDEF');
      const sorted = (text: string) => text.replace('WECHATPAY2-SHA256-RSA2048 ', '').split(',').sort();
      expect(sorted(header)).toEqual(sorted(theirs));
    },
  );
});

describe('its responses', () => {
  it.each(bodies)('signed over %j are accepted, and no others', (body) => {
    const [timestamp, nonce] = [Formatter.timestamp(), Formatter.nonce()];
    const signature = Rsa.sign(Formatter.response(timestamp, nonce, body), privateKey);
    const headers = new Headers({
      'wechatpay-timestamp': String(timestamp),
      'wechatpay-nonce': nonce,
      'wechatpay-signature': signature,
    });
    expect(isSignedByWeChat(Buffer.from(body), headers, publicKey)).toBe(true);
    expect(isSignedByWeChat(Buffer.from(`${body} `), headers, publicKey)).toBe(false);
  });

  it.each(bodies)('encrypted over %j are decrypted', (body) => {
    const key = randomBytes(16).toString('hex');
    const nonce = Formatter.nonce(12);
    for (const aad of ['transaction', '']) {
      const ciphertext = Aes.AesGcm.encrypt(body, key, nonce, aad);
      expect(decryptWeChat(key, { ciphertext, nonce, associated_data: aad })).toBe(body);
      expect(decryptWeChat(key, { ciphertext, nonce, associated_data: 'other' })).toBeNull();
    }
  });
});

describe('the sandbox', () => {
  let receiver: Receiver;
  let gateway: RunningGateway;
  let ours: Awaited<ReturnType<typeof wechatClient>>;
  let theirs: Wechatpay;
  const path = `/v3/pay/transactions/out-trade-no/topup00001?mchid=${wechatMerchant.mchid}`;

  beforeEach(async () => {
    receiver = await startReceiver();
    gateway = await openGateway(receiver.url);
    ours = await wechatClient(gateway);
    theirs = new Wechatpay({
      mchid: wechatMerchant.mchid,
      serial: wechatMerchant.merchantSerial,
      privateKey: merchantPrivateKey,
      certs: {
        [ours.keys.wechatPublicKeyId]: ours.keys.wechatPublicKeyPem,
        [ours.keys.wechatPlatformSerial]: ours.keys.wechatPublicKeyPem,
      },
      baseURL: ours.origin,
      proxy: false,
    });
  });

  it("accepts the other client's requests, which accepts its responses", async () => {
    const made = await theirs.chain('/v3/pay/transactions/native').post(nativeBody());
    expect(made.data).toEqual({ code_url: expect.stringMatching(/^weixin:/) });
    await control(gateway, '/controls/wechat', { signedBy: 'certificate' });
    const { data } = await theirs.chain(path).get();
    expect(data).toMatchObject({ out_trade_no: 'topup00001', trade_state: 'NOTPAY' });
    const certificates = await theirs.chain('/v3/certificates').get();
    const [{ serial_no, encrypt_certificate: sealed }] = certificates.data.data;
    const pem = Aes.AesGcm.decrypt(sealed.ciphertext, wechatMerchant.apiV3Key, sealed.nonce, sealed.associated_data);
    expect(new X509Certificate(pem).serialNumber).toBe(serial_no);
  });

  it('sends notifications that the other client verifies and decrypts', async () => {
    await theirs.chain('/v3/pay/transactions/native').post(nativeBody());
    await control(gateway, '/controls/wechat', { mode: 'before-return' });
    await control(gateway, '/controls/wechat/sessions/topup00001/pay');
    const [call] = receiver.calls;
    const header = (name: string) => String(call?.headers[`wechatpay-${name}`]);
    const text = Formatter.response(header('timestamp'), header('nonce'), call?.body);
    expect(Rsa.verify(text, header('signature'), createPublicKey(ours.keys.wechatPublicKeyPem))).toBe(true);
    const { resource } = JSON.parse(call?.body ?? '');
    const { ciphertext, nonce, associated_data: aad } = resource;
    expect(JSON.parse(Aes.AesGcm.decrypt(ciphertext, wechatMerchant.apiV3Key, nonce, aad))).toMatchObject({
      out_trade_no: 'topup00001',
      trade_state: 'SUCCESS',
    });
  });
});
