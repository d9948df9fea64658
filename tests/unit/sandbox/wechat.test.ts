import { beforeEach, expect, test } from 'vitest';
import type { RunningGateway } from '@/sandbox/start';
import { control, openGateway, type Receiver, startReceiver } from './harness';
import { nativeBody, wechatClient } from './wechat-client';

let receiver: Receiver;
let gateway: RunningGateway;
let wechat: Awaited<ReturnType<typeof wechatClient>>;

beforeEach(async () => {
  receiver = await startReceiver();
  gateway = await openGateway(receiver.url);
  wechat = await wechatClient(gateway);
});

const native = '/v3/pay/transactions/native';
const no = 'topup00001';

test('a code for a desktop is scanned by a person or a test, once', async () => {
  const { body } = await wechat.post(native, nativeBody());
  expect(body.code_url).toMatch(/^weixin:\/\/wxpay\/bizpayurl\?pr=\w+$/);
  const scan = await fetch(`${gateway.url}/scan?code_url=${encodeURIComponent(body.code_url)}`, {
    redirect: 'manual',
  });
  const phone = await fetch(scan.headers.get('location') ?? '');
  expect(await phone.text()).toContain('Pay ¥718.00');
  expect(await (await fetch(`${gateway.url}/scan`)).text()).toContain(body.code_url);
  expect((await control(gateway, '/controls/wechat/scan', { code_url: body.code_url })).body).toMatchObject({
    out_trade_no: no,
  });
  expect((await control(gateway, '/controls/wechat/scan', { code_url: body.code_url })).status).toBe(409);
  expect((await control(gateway, '/controls/wechat/scan', { code_url: 'weixin://x' })).status).toBe(404);
  await expect.poll(() => receiver.calls.length).toBe(1);
});

test("rejects a request without the merchant's signature", async () => {
  const answer = await wechat.call('POST', native, nativeBody(), { text: 'something else' });
  expect(answer).toMatchObject({ status: 401, serial: null, body: { code: 'SIGN_ERROR' } });
  expect((await fetch(`${wechat.origin}/v3/certificates`)).status).toBe(401);
});

test('a number identifies one order', async () => {
  await wechat.post(native, nativeBody());
  const other = await wechat.post(native, nativeBody(no, 100));
  expect(other).toMatchObject({ status: 403, body: { code: 'OUT_TRADE_NO_USED' } });
  await control(gateway, `/controls/wechat/sessions/${no}/pay`);
  expect((await wechat.post(native, nativeBody())).body).toMatchObject({ code: 'ORDER_PAID' });
  expect((await wechat.query('topup99999')).body).toMatchObject({ code: 'ORDER_NOT_EXIST' });
});
