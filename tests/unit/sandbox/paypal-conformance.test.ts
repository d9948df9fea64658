import { describe, expect, it } from 'vitest';
import { payPalRules } from '@/tests/setup/conformance/paypal';

const headers = { authorization: 'Bearer x', 'content-type': 'application/json' };
type Sample = { method?: string; path: string; body?: unknown; status?: number; answer: unknown; headers?: object };

/** The findings for a request and its response. */
const findings = ({ method = 'GET', path, body, status = 200, answer, headers: input = headers }: Sample) =>
  payPalRules.call?.({
    kind: 'call',
    provider: 'paypal',
    request: {
      method,
      url: new URL(path, 'http://127.0.0.1:1'),
      headers: { ...input },
      body: body === undefined ? '' : JSON.stringify(body),
      params: {},
    },
    response: { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(answer) },
  });

const money = { currency_code: 'USD', value: '100.00' };
const link = { href: 'https://api-m.paypal.com/v2/checkout/orders/5O190127TN364715T', rel: 'up', method: 'GET' };
const captured = {
  id: '2GG279541U471931P',
  status: 'COMPLETED',
  amount: money,
  seller_protection: { status: 'ELIGIBLE', dispute_categories: ['ITEM_NOT_RECEIVED'] },
  custom_id: '01HZ0000000000000000000000',
  supplementary_data: { related_ids: { order_id: '5O190127TN364715T' } },
  create_time: '2026-03-04T12:30:05Z',
  links: [link],
};
const capture = (changes: object = {}) => ({
  path: '/v2/payments/captures/2GG279541U471931P',
  answer: { ...captured, ...changes },
});
const order = (changes: object = {}, input: object = headers) => ({
  method: 'POST',
  path: '/v2/checkout/orders',
  headers: input,
  body: {
    intent: 'CAPTURE',
    purchase_units: [{ custom_id: captured.custom_id, amount: money }],
    payment_source: { paypal: { experience_context: { user_action: 'PAY_NOW', return_url: 'https://shop.example/' } } },
    ...changes,
  },
  status: 201,
  answer: { id: '5O190127TN364715T', status: 'PAYER_ACTION_REQUIRED', links: [link] },
});
const refusal = (issue: string, changes: object = {}) => ({
  method: 'POST',
  path: '/v2/checkout/orders/5O190127TN364715T/capture',
  status: 422,
  answer: {
    ...{ name: 'UNPROCESSABLE_ENTITY', message: 'Refused.', debug_id: '90957fca61718', details: [{ issue }] },
    ...changes,
  },
});
const transaction = (changes: object = {}) => ({
  path: '/v1/reporting/transactions?start_date=2026-03-01T00:00:00Z&end_date=2026-03-02T00:00:00Z&page_size=100',
  answer: {
    ...{ transaction_details: [{ transaction_info: { transaction_id: '5TY05013RG002845M', ...changes } }] },
    ...{ page: 1, total_items: 1, total_pages: 1 },
  },
});
const dispute = (changes: object = {}) => ({
  path: '/v1/customer/disputes/PP-D-4012',
  answer: { dispute_id: 'PP-D-4012', reason: 'UNAUTHORISED', status: 'OPEN', dispute_amount: money, ...changes },
});
const movement = { party: 'SELLER', amount: money, type: 'DEBIT', reason: 'DISPUTE_SETTLEMENT' };
const events = (query: string) => ({
  path: `/v1/notifications/webhooks-events/?${query}`,
  answer: { events: [], count: 0, links: [link] },
});

describe('a call to PayPal', () => {
  it.each<[string, Sample]>([
    ['an order', order()],
    ['a capture', capture()],
    ['a refused capture', refusal('PAYER_CANNOT_PAY')],
    ['a transaction', transaction({ transaction_amount: { currency_code: 'USD', value: '-3.98' } })],
    ['a dispute with its movements', dispute({ fund_movements: [movement] })],
    ['another page of events', events('page_size=2&move_to=next&index_time=2014-09-17T23:07:35Z&index_id=3')],
    [
      'a call without a valid token',
      { ...capture(), status: 401, answer: { error: 'invalid_token', error_description: 'Expired' } },
    ],
  ])('as published has no findings: %s', (_, sample) => {
    expect(findings(sample)).toEqual([]);
  });

  it.each<[string, Sample, string]>([
    ['an unknown property', order({ topup_id: 'x' }), 'body: (whole): Unrecognized key: "topup_id"'],
    ['an amount in cents', order({ purchase_units: [{ amount: { currency_code: 'USD', value: 10_000 } }] }), 'value'],
    ['an amount with a sign of its currency', capture({ amount: { ...money, value: '$100' } }), 'amount.value'],
    ['a currency of two letters', capture({ amount: { ...money, currency_code: 'US' } }), 'amount.currency_code'],
    ['a value outside of a list', order({ intent: 'SALE' }), 'body: intent: "SALE" is not published'],
    ['an unknown status', capture({ status: 'PAID' }), 'answer 200: status: "PAID" is not published'],
    ['an unknown property of a response', capture({ order_id: 'x' }), 'Unrecognized key: "order_id"'],
    ['a nested unknown property', capture({ amount: { ...money, minor: 1 } }), 'amount: Unrecognized key: "minor"'],
    ['an invalid time', capture({ create_time: 'yesterday' }), 'create_time'],
    ['an unpublished response', { ...capture(), status: 202 }, 'answer 202: '],
    ['an unknown issue', refusal('OUT_OF_MONEY'), 'details.0.issue: "OUT_OF_MONEY" is not published'],
    ['an error without its debug id', refusal('PAYER_CANNOT_PAY', { debug_id: undefined }), 'debug_id'],
    ['an unknown path', { path: '/v2/payments/money', answer: {} }, 'not published'],
    ['an unknown query', { ...capture(), path: `${capture().path}?expand=order` }, 'query: (whole)'],
    ['an unknown parameter of a list', events('start_index=3'), 'start_index'],
    ['an unknown header', order({}, { ...headers, 'paypal-key': 'x' }), 'header: (whole)'],
    ['a transaction with a long code', transaction({ transaction_event_code: 'T00006' }), 'transaction_event_code'],
    ['money that moved to another party', dispute({ fund_movements: [{ ...movement, party: 'US' }] }), 'party'],
    ['a token request in another format', { method: 'POST', path: '/v1/oauth2/token', answer: {} }, 'grant_type'],
  ])('with %s is a finding', (_, sample, words) => {
    expect(findings(sample)?.join('\n')).toContain(words);
  });
});

describe('a webhook event of PayPal', () => {
  const notified = (type: string, resource: object, changes: object = {}) =>
    payPalRules.event?.({
      kind: 'event',
      provider: 'paypal',
      event: {
        ...{ id: 'WH-1', provider: 'paypal', type, subjectId: '', signedAs: '', createdAt: 0 },
        body: JSON.stringify({
          ...{ id: 'WH-1', event_version: '1.0', create_time: '2026-03-04T12:30:05.123Z', event_type: type },
          ...{ resource_type: 'capture', resource_version: '2.0', summary: 'A payment', resource, links: [link] },
          ...changes,
        }),
      },
    });

  it('is compared with the schema of its resource', () => {
    expect(notified('PAYMENT.CAPTURE.COMPLETED', captured)).toEqual([]);
    expect(notified('PAYMENT.CAPTURE.COMPLETED', { ...captured, paid: true })?.join()).toContain('resource: (whole)');
    expect(notified('PAYMENT.CAPTURE.COMPLETED', { ...captured, status: 'PAID' })?.join()).toContain('status');
    // A refund has another schema than a capture.
    expect(notified('PAYMENT.CAPTURE.REFUNDED', captured)?.join()).toContain('seller_protection');
    expect(notified('PAYMENT.CAPTURE.PAID', captured)?.join()).toContain('not published');
    expect(notified('PAYMENT.CAPTURE.COMPLETED', captured, { livemode: true })?.join()).toContain('livemode');
  });
});
