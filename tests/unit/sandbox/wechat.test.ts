import { X509Certificate } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RunningGateway } from '../../../sandbox/start';
import { control, openGateway, type Receiver, startReceiver } from './harness';
import { h5Body, nativeBody, wechatClient } from './wechat-client';
import { wechatMerchant } from './wechat-merchant';

let receiver: Receiver;
let gateway: RunningGateway;
let wechat: Awaited<ReturnType<typeof wechatClient>>;

beforeEach(async () => {
  receiver = await startReceiver();
  gateway = await openGateway(receiver.url);
  wechat = await wechatClient(gateway);
});

const h5 = '/v3/pay/transactions/h5';
const native = '/v3/pay/transactions/native';
const no = 'topup00001';
const set = (controls: object) => control(gateway, '/controls/wechat', controls);
const act = (action: string, body: object = {}) => control(gateway, `/controls/wechat/sessions/${no}/${action}`, body);

describe('orders', () => {
  test('an order for a phone: its page pays it, redirects and notifies', async () => {
    const made = await wechat.post(h5, h5Body());
    expect(made.status).toBe(200);
    expect((await wechat.post(h5, h5Body())).body).toEqual(made.body);
    expect((await wechat.query(no)).body).toMatchObject({ trade_state: 'NOTPAY', amount: { total: 71_800 } });

    const back = 'http://127.0.0.1:9/user/wallet?success=1&topup=topup00001';
    const address = `${made.body.h5_url}&redirect_url=${encodeURIComponent(back)}`;
    const page = await (await fetch(address)).text();
    for (const part of ['¥718.00', 'Wallet top-up', 'Sandbox', 'Cancel and return']) expect(page).toContain(part);
    expect(page).not.toContain('<script');
    const action = /action="([^"]+\/pay[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const answer = await fetch(new URL(action, wechat.origin), { method: 'POST', redirect: 'manual' });
    expect(answer.headers.get('location')).toBe(back);

    await expect.poll(() => receiver.calls.length).toBe(1);
    expect(receiver.calls[0]?.path).toBe('/api/payments/wechat/webhook');
    const [notice] = wechat.notices(receiver);
    expect(notice).toMatchObject({
      event_type: 'TRANSACTION.SUCCESS',
      resource: {
        appid: wechatMerchant.appid,
        mchid: wechatMerchant.mchid,
        out_trade_no: no,
        trade_state: 'SUCCESS',
        trade_type: 'MWEB',
        amount: { total: 71_800, payer_total: 71_800, currency: 'CNY' },
      },
    });
    expect((await wechat.query(no)).body).toEqual(notice?.resource);
    expect(await (await fetch(address)).text()).toContain('The payment is complete');
  });

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

  test.each<[string, object, number, string]>([
    ['another merchant', { mchid: '1900000000' }, 400, 'PARAM_ERROR'],
    ['another app', { appid: 'wxffffffffffffffff' }, 403, 'NO_AUTH'],
    ['a number with a dash too many', { out_trade_no: 'a/b' }, 400, 'PARAM_ERROR'],
    ['dollars', { amount: { total: 100, currency: 'USD' } }, 400, 'PARAM_ERROR'],
    ['half a fen', { amount: { total: 1.5, currency: 'CNY' } }, 400, 'PARAM_ERROR'],
    ['an expiry that is over', { time_expire: '2020-01-01T00:00:00+08:00' }, 400, 'PARAM_ERROR'],
    ['a field it does not simulate', { goods_tag: 'x' }, 400, 'PARAM_ERROR'],
  ])('rejects %s', async (_name, change, status, code) => {
    expect(await wechat.post(native, { ...nativeBody(), ...change })).toMatchObject({ status, body: { code } });
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
    await act('pay');
    expect((await wechat.post(native, nativeBody())).body).toMatchObject({ code: 'ORDER_PAID' });
    expect((await wechat.query('topup99999')).body).toMatchObject({ code: 'ORDER_NOT_EXIST' });
  });

  test('a closed order cannot be paid, but a late success can be forced', async () => {
    await wechat.post(native, nativeBody());
    const path = `/v3/pay/transactions/out-trade-no/${no}/close`;
    expect(await wechat.post(path, { mchid: wechatMerchant.mchid })).toMatchObject({ status: 204, body: null });
    expect((await wechat.post(path, { mchid: wechatMerchant.mchid })).status).toBe(204);
    expect((await wechat.query(no)).body.trade_state).toBe('CLOSED');
    expect((await act('pay')).status).toBe(409);
    expect((await act('pay', { force: true })).status).toBe(200);
    expect(await wechat.post(path, { mchid: wechatMerchant.mchid })).toMatchObject({ body: { code: 'ORDER_PAID' } });
  });

  test('pay later, and fail', async () => {
    await wechat.post(native, nativeBody());
    await act('pay-later');
    expect((await wechat.query(no)).body.trade_state).toBe('USERPAYING');
    await act('fail-async');
    expect((await wechat.query(no)).body.trade_state).toBe('PAYERROR');
    expect(receiver.calls).toHaveLength(0);
    expect((await act('pay')).status).toBe(200);
  });
});

describe('refunds', () => {
  const refund = (amount: number, outRefundNo: string) =>
    wechat.post('/v3/refund/domestic/refunds', {
      out_trade_no: no,
      out_refund_no: outRefundNo,
      notify_url: 'http://127.0.0.1:9/api/payments/wechat/webhook',
      amount: { refund: amount, total: 71_800, currency: 'CNY' },
    });

  test('add up, one per number, and send a notification', async () => {
    await wechat.post(native, nativeBody());
    expect((await refund(1, 'r1')).body).toMatchObject({ code: 'RESOURCE_NOT_EXISTS' });
    await set({ mode: 'before-return' });
    await act('pay');
    const made = await refund(20_000, 'r1');
    expect(made.body).toMatchObject({
      status: 'SUCCESS',
      out_refund_no: 'r1',
      amount: { refund: 20_000, total: 71_800 },
    });
    expect((await refund(20_000, 'r1')).body.refund_id).toBe(made.body.refund_id);
    expect((await refund(51_801, 'r2')).body).toMatchObject({ code: 'NOT_ENOUGH' });
    expect((await wechat.get('/v3/refund/domestic/refunds/r1')).body).toEqual(made.body);
    await set({ refundNotices: 'sent' });
    await act('refund');
    expect((await wechat.query(no)).body.trade_state).toBe('REFUND');
    await expect.poll(() => receiver.calls.length).toBe(3);
    const told = wechat.notices(receiver).filter(({ event_type }) => event_type === 'REFUND.SUCCESS');
    const refunds = told.sort((one, other) => one.resource.amount.refund - other.resource.amount.refund);
    expect(refunds).toMatchObject([
      { resource: { out_trade_no: no, out_refund_no: 'r1', refund_status: 'SUCCESS', amount: { refund: 20_000 } } },
      { resource: { out_trade_no: no, amount: { refund: 51_800, total: 71_800 } } },
    ]);
    await act('refund-fail');
    await expect.poll(() => wechat.notices(receiver).map(({ event_type }) => event_type)).toContain('REFUND.ABNORMAL');
  });

  test('made on the merchant platform send a notification only when configured', async () => {
    await wechat.post(native, nativeBody());
    await set({ mode: 'before-return' });
    await act('pay');
    await act('refund', { amount: 100 });
    await act('refund-slowly', { amount: 200 });
    await act('refund-arrives');
    await act('refund-fail');
    await set({ refundNotices: 'sent' });
    await act('refund', { amount: 300 });
    await expect.poll(() => receiver.calls.length).toBe(2);
    expect(wechat.notices(receiver).map(({ event_type }) => event_type)).toEqual([
      'TRANSACTION.SUCCESS',
      'REFUND.SUCCESS',
    ]);
  });
});

describe('signatures', () => {
  test('with the public key, or with the platform certificate', async () => {
    expect((await wechat.query(no)).serial).toBe(wechat.keys.wechatPublicKeyId);
    expect(wechat.keys.wechatPublicKeyId).toMatch(/^PUB_KEY_ID_\d+$/);
    await set({ signedBy: 'certificate' });
    const { body, serial } = await wechat.get('/v3/certificates');
    expect(serial).toBe(wechat.keys.wechatPlatformSerial);
    const certificate = new X509Certificate(wechat.decrypted(body.data[0].encrypt_certificate));
    expect(certificate.serialNumber).toBe(serial);
    expect(certificate.publicKey.export({ type: 'spki', format: 'pem' })).toBe(wechat.keys.wechatPublicKeyPem);
  });

  test.each([
    ['forged', { signature: 'forged' }],
    ['old', { signature: 'old' }],
  ])('a notification that is %s', async (kind, controls) => {
    await set({ mode: 'before-return', ...controls });
    await wechat.post(native, nativeBody());
    await act('pay');
    if (kind === 'forged') return expect(() => wechat.notices(receiver)).toThrow('The signature is wrong');
    expect(wechat.notices(receiver)).toHaveLength(1);
    const sent = Number(receiver.calls[0]?.headers['wechatpay-timestamp']) * 1_000;
    expect(Date.now() - sent).toBeGreaterThan(599_000);
  });

  test('alters amount, currency and merchant', async () => {
    await set({ mode: 'before-return', alterAmount: 1, alterCurrency: 'hkd', alterLivemode: true });
    await wechat.post(native, nativeBody());
    await act('pay');
    expect(wechat.notices(receiver)[0]?.resource).toMatchObject({
      mchid: '1900000001',
      amount: { total: 1, currency: 'HKD' },
    });
    expect((await wechat.query(no)).body).toMatchObject({ mchid: wechatMerchant.mchid, amount: { total: 71_800 } });
    await set({ alterApi: true });
    expect((await wechat.query(no)).body).toMatchObject({ amount: { total: 1 } });
  });
});

describe('faults', () => {
  test('is unavailable, returns errors and garbage, and loses a response', async () => {
    await set({ api: 'down' });
    await expect(wechat.query(no)).rejects.toThrow('fetch failed');
    await set({ api: 'error' });
    expect(await wechat.query(no)).toMatchObject({ status: 500, body: { code: 'SYSTEM_ERROR' } });
    await set({ api: 'garbage' });
    await expect(wechat.query(no)).rejects.toThrow('Not signed');
    await set({ api: 'lost' });
    await expect(wechat.post(native, nativeBody())).rejects.toThrow('fetch failed');
    await set({ api: 'normal' });
    expect((await wechat.query(no)).body.trade_state).toBe('NOTPAY');
  });

  test('duplicates, losses and delivery order work for every provider', async () => {
    await wechat.post(native, nativeBody());
    await set({ mode: 'hold', duplicate: 1, refundNotices: 'sent' });
    await act('pay');
    await act('refund', { amount: 100 });
    await act('deliver', { order: 'reversed' });
    expect(wechat.notices(receiver).map((notice) => notice.event_type)).toEqual([
      'REFUND.SUCCESS',
      'REFUND.SUCCESS',
      'TRANSACTION.SUCCESS',
      'TRANSACTION.SUCCESS',
    ]);
    expect(new Set(wechat.notices(receiver).map((notice) => notice.id)).size).toBe(2);
  });
});
