import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { encrypt } from '@/sandbox/wechat/encrypt';
import { testApiV3Key, weChatRules } from '@/tests/setup/conformance/wechat';

const authorization =
  'WECHATPAY2-SHA256-RSA2048 mchid="1900000109",nonce_str="593BEC0C930BF1AFEB40B4A08C8FB242",timestamp="1554208460",serial_no="1DDE55AD98ED71D6EDD4A4A16996DE7B47773A8C",signature="uOVRnA4qG/MNnYzdQxJanN=="';
const headers = { accept: 'application/json', 'user-agent': 'LinkMarket', authorization };

type Sample = { method?: string; path: string; body?: unknown; status?: number; answer: unknown; headers?: object };

/** The findings for a request and its response. */
function findings({ method = 'GET', path, body, status = 200, answer, headers: input = headers }: Sample) {
  const isFile = Buffer.isBuffer(answer);
  return weChatRules.call?.({
    kind: 'call',
    provider: 'wechat',
    request: {
      method,
      url: new URL(path, 'http://127.0.0.1:1'),
      headers: { ...input },
      body: body === undefined ? '' : JSON.stringify(body),
      params: {},
    },
    response: {
      status,
      headers: { 'content-type': isFile ? 'application/x-gzip' : 'application/json' },
      body: isFile || answer === '' ? answer : JSON.stringify(answer),
    },
  });
}

const order = {
  appid: 'wxd678efh567hg6787',
  mchid: '1230000109',
  description: 'Image store - QQ doll',
  out_trade_no: '1217752501201407033233368018',
  time_expire: '2018-06-08T10:34:56+08:00',
  notify_url: 'https://www.weixin.qq.com/wxpay/pay.php',
  amount: { total: 100, currency: 'CNY' },
};
const native = (changes: object) => ({
  method: 'POST',
  path: '/v3/pay/transactions/native',
  body: { ...order, ...changes },
  answer: { code_url: 'weixin://wxpay/bizpayurl?pr=p4lpSuKzz' },
});
const refund = {
  refund_id: '50000000382019052709732678859',
  out_refund_no: '1217752501201407033233368018',
  transaction_id: '1217752501201407033233368018',
  out_trade_no: '1217752501201407033233368018',
  channel: 'ORIGINAL',
  user_received_account: 'CMB credit card 0403',
  create_time: '2020-12-01T16:18:12+08:00',
  status: 'PROCESSING',
  funds_account: 'UNSETTLED',
  amount: {
    ...{ total: 100, refund: 100, payer_total: 90, payer_refund: 90 },
    ...{ settlement_refund: 100, settlement_total: 100, discount_refund: 10, currency: 'CNY' },
  },
};
const refundPath = `/v3/refund/domestic/refunds/${refund.out_refund_no}`;

describe('a call to WeChat Pay', () => {
  it.each<[string, Sample]>([
    ['a Native order', native({})],
    ['a refund', { path: refundPath, answer: refund }],
    [
      'a refusal',
      { path: refundPath, status: 404, answer: { code: 'RESOURCE_NOT_EXISTS', message: 'No such refund' } },
    ],
    [
      'closing',
      {
        method: 'POST',
        path: `/v3/pay/transactions/out-trade-no/${order.out_trade_no}/close`,
        body: { mchid: order.mchid },
        status: 204,
        answer: '',
      },
    ],
  ])('as published has no findings: %s', (_, sample) => {
    expect(findings(sample)).toEqual([]);
  });

  it.each<[string, Sample, string]>([
    ['an unknown field', native({ topup_id: 'x' }), 'topup_id'],
    ['an order number that is too long', native({ out_trade_no: 'x'.repeat(33) }), 'body out_trade_no'],
    ['dollars', native({ amount: { total: 1, currency: 'USD' } }), 'body amount.currency'],
    ['a fraction of a fen', native({ amount: { total: 1.5 } }), 'body amount.total'],
    ['a notify_url with a query', native({ notify_url: 'https://example.com/a?b=1' }), 'body notify_url'],
    ['a description of 128 bytes', native({ description: `${'é'.repeat(64)}` }), 'body description'],
    ['a response without its code', { ...native({}), answer: {} }, 'answer 200 code_url'],
    ['an unknown state', { path: refundPath, answer: { ...refund, status: 'DONE' } }, 'answer 200 status'],
    ['an unknown field of a response', { path: refundPath, answer: { ...refund, mchid: '1' } }, 'mchid'],
    ['an unknown path', { path: '/v3/refunds', answer: {} }, 'not published'],
    ['an unknown query', { path: `${refundPath}?mchid=1900000109`, answer: refund }, 'query'],
    [
      'another signature scheme',
      { path: refundPath, answer: refund, headers: { ...headers, authorization: 'Bearer x' } },
      'header authorization',
    ],
  ])('with %s is a finding', (_, sample, words) => {
    expect(findings(sample)?.join('\n')).toContain(words);
  });

  it('that downloads a bill with unknown columns is a finding', () => {
    const bill = (header: string, row: string) =>
      gzipSync(
        `${header}\r\n${row}\r\n资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额\r\n\`1,\`1,\`0.01,\`0,\`0\r\n`,
      );
    const known =
      '记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),资金变更提交申请人,备注,业务凭证号';
    const row = '`2021-02-01 13:54:01,`1,`2,`退款,`退款,`支出,`0.01,`0.22,`system,`,`3';
    const path = '/v3/billdownload/file?token=abc';
    expect(findings({ path, answer: bill(known, row) })).toEqual([]);
    expect(findings({ path, answer: bill(`${known},其他`, row) })?.join()).toContain('unknown header');
    expect(findings({ path, answer: bill(known, row.slice(0, -3)) })?.join()).toContain('a row that does not fit');
  });
});

describe('a notification of WeChat Pay', () => {
  const notified = (type: string, resource: object, changes: object = {}) =>
    weChatRules.event?.({
      kind: 'event',
      provider: 'wechat',
      event: {
        ...{ id: 'EV-2018022511223320873', provider: 'wechat', type, subjectId: '', signedAs: '', createdAt: 0 },
        body: JSON.stringify({
          id: 'EV-2018022511223320873',
          create_time: '2015-05-20T13:29:35+08:00',
          event_type: type,
          resource_type: 'encrypt-resource',
          summary: 'Payment successful',
          resource: {
            original_type: type.startsWith('REFUND') ? 'refund' : 'transaction',
            ...encrypt(testApiV3Key, JSON.stringify(resource), 'transaction'),
          },
          ...changes,
        }),
      },
    });
  const transaction = {
    ...{ appid: order.appid, mchid: order.mchid, out_trade_no: order.out_trade_no, transaction_id: '4200000914' },
    ...{ trade_type: 'NATIVE', trade_state: 'SUCCESS', trade_state_desc: 'Paid', bank_type: 'CMC', attach: '' },
    success_time: '2018-06-08T10:34:56+08:00',
    payer: { openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o' },
    amount: { total: 100, payer_total: 100, currency: 'CNY', payer_currency: 'CNY' },
  };

  it('is decrypted and compared as well', () => {
    expect(notified('TRANSACTION.SUCCESS', transaction)).toEqual([]);
    expect(notified('TRANSACTION.SUCCESS', { ...transaction, paid: true })?.join()).toContain('paid');
    expect(notified('TRANSACTION.SUCCESS', { ...transaction, trade_state: 'PAID' })?.join()).toContain('trade_state');
    // The response about a refund has another schema than its notification.
    expect(notified('REFUND.SUCCESS', refund)?.join()).toContain('refund_status');
    expect(notified('TRANSACTION.PAID', transaction)?.join()).toContain('event_type');
    expect(notified('TRANSACTION.SUCCESS', transaction, { livemode: true })?.join()).toContain('livemode');
  });
});
