import { beforeEach, describe, expect, it } from 'vitest';
import { ProviderError } from '@/lib/payments/providers/provider';
import type { WeChatAccount } from '@/lib/payments/providers/wechat/merchant';
import {
  downloadWeChatBill,
  getBilledUntil,
  listChinaDays,
  parseWeChatBill,
  startOfChinaDay,
  toChinaDay,
} from '@/lib/payments/providers/wechat/settlement';
import type { RunningGateway } from '@/sandbox/start';
import { control, openGateway, startReceiver } from '@/tests/unit/sandbox/harness';
import { nativeBody, wechatClient } from '@/tests/unit/sandbox/wechat-client';
import { merchantPrivateKey, wechatMerchant } from '@/tests/unit/sandbox/wechat-merchant';

const no = 'topup00001';
const yesterday = (days = 2) => toChinaDay(new Date(Date.now() - days * 24 * 60 * 60 * 1000));

describe('a WeChat Pay bill', () => {
  let gateway: RunningGateway;
  let account: WeChatAccount;
  const set = (controls: object) => control(gateway, '/controls/wechat', controls);
  const act = (action: string, body: object = {}) =>
    control(gateway, `/controls/wechat/sessions/${no}/${action}`, body);
  const trades = (date: string, type: 'ALL' | 'SUCCESS' | 'REFUND' = 'ALL') =>
    downloadWeChatBill(account, { kind: 'trade', date, type });

  beforeEach(async () => {
    const receiver = await startReceiver();
    gateway = await openGateway(receiver.url);
    const wechat = await wechatClient(gateway);
    const { mchid, merchantSerial: serial, appid, apiV3Key } = wechatMerchant;
    account = {
      merchant: { mchid, serial, privateKey: merchantPrivateKey },
      appid,
      apiV3Key,
      publicKeyId: wechat.keys.wechatPublicKeyId,
      publicKey: wechat.keys.wechatPublicKeyPem,
      baseUrl: wechat.origin,
    };
    await wechat.post('/v3/pay/transactions/native', nativeBody(no, 71_800));
    await act('pay');
    await act('refund', { amount: 300 });
    await act('backdate', { days: 2 });
  });

  it('has a row for each payment and refund of the day, and none of other days', async () => {
    const rows = await trades(yesterday());
    expect(rows).toHaveLength(2);
    expect(rows?.[0]).toMatchObject({ 商户订单号: no, 交易状态: 'SUCCESS', 订单金额: '718.00', 货币种类: 'CNY' });
    expect(rows?.[1]).toMatchObject({ 商户订单号: no, 交易状态: 'REFUND', 退款金额: '3.00', 退款状态: 'SUCCESS' });
    expect(rows?.[1]?.商户退款单号).toMatch(/^hand/);
    expect(await trades(yesterday(), 'SUCCESS')).toHaveLength(1);
    const [refund] = (await trades(yesterday(), 'REFUND')) ?? [];
    expect(refund?.退款成功时间).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(await trades(yesterday(3))).toEqual([]);
  });

  it('is not available while WeChat Pay prepares it', async () => {
    expect(await trades(toChinaDay(new Date()))).toBeNull();
    await set({ bills: 'creating' });
    expect(await trades(yesterday())).toBeNull();
  });

  it('is rejected when its hash differs from the announced one', async () => {
    await set({ bills: 'corrupt' });
    await expect(trades(yesterday())).rejects.toThrow(ProviderError);
    await expect(trades(yesterday())).rejects.toMatchObject({ reason: expect.stringContaining('hash') });
  });

  it('is requested with the stored key, which also verifies the response', async () => {
    await set({ signedBy: 'certificate' });
    // Otherwise it would need the platform certificate, which this API v3 key does not decrypt.
    expect(await downloadWeChatBill({ ...account, apiV3Key: 'x'.repeat(32) }, bill())).toHaveLength(2);
    await expect(downloadWeChatBill({ ...account, publicKeyId: 'PUB_KEY_ID_0000' }, bill())).rejects.toMatchObject({
      reason: expect.stringContaining('PARAM_ERROR'),
    });
  });

  const bill = () => ({ kind: 'trade' as const, date: yesterday(), type: 'ALL' as const });
});

describe('the text of a bill', () => {
  const header = '记账时间,收支金额（元）,备注';

  it('is parsed by its header, with commas in cells and full-width parentheses in names', () => {
    const text = `\uFEFF${header}\r\n\`2021-02-01 13:54:01,\`0.01,\`one, two\r\n\`2021-02-02 13:54:01,\`5,\`\r\n总笔数\r\n\`2\r\n`;
    expect(parseWeChatBill(text)).toEqual([
      { 记账时间: '2021-02-01 13:54:01', '收支金额(元)': '0.01', 备注: 'one, two' },
      { 记账时间: '2021-02-02 13:54:01', '收支金额(元)': '5', 备注: '' },
    ]);
    expect(parseWeChatBill(`${header}\n总笔数\n\`0\n`)).toEqual([]);
  });

  it.each([
    ['without its sums', `${header}\n\`1,\`2,\`3\n`],
    ['with a row that has a cell too many', `${header}\n\`1,\`2,\`3,\`4\n总笔数\n\`1\n`],
    ['with a row that has a cell too few', `${header}\n\`1,\`2\n总笔数\n\`1\n`],
    ['that is no bill', '<html>Bad gateway</html>'],
  ])('%s is rejected', (_, text) => {
    expect(() => parseWeChatBill(text)).toThrow(ProviderError);
  });
});

describe('days in China', () => {
  it('start at 16:00 UTC of the previous day', () => {
    expect(toChinaDay(new Date('2026-03-01T15:59:59Z'))).toBe('2026-03-01');
    expect(toChinaDay(new Date('2026-03-01T16:00:00Z'))).toBe('2026-03-02');
    expect(startOfChinaDay('2026-03-02').toISOString()).toBe('2026-03-01T16:00:00.000Z');
    expect(listChinaDays(new Date('2026-02-28T15:00:00Z'), new Date('2026-03-01T16:00:00Z'))).toEqual([
      '2026-02-28',
      '2026-03-01',
    ]);
    expect(listChinaDays(new Date('2026-03-01T16:00:00Z'), new Date('2026-03-01T16:00:00Z'))).toEqual([]);
  });

  it('are billed from 10:00 of the next day', () => {
    const until = (now: string) => getBilledUntil(new Date(now)).toISOString();
    expect(until('2026-03-02T01:59:59Z')).toBe('2026-02-28T16:00:00.000Z');
    expect(until('2026-03-02T02:00:00Z')).toBe('2026-03-01T16:00:00.000Z');
  });
});
