import { expect, it } from 'vitest';
import { toDisputeObject } from '@/sandbox/stripe/dispute-object';
import { stripeRules } from '@/tests/setup/conformance/stripe-rules';

const id = (prefix: string) => `${prefix}_1${'a'.repeat(23)}`;
const dispute = toDisputeObject(
  { id: id('du'), created: 1, amount: 500, status: 'needs_response' },
  {
    ...{ id: id('pi'), sessionId: 'cs', created: 1, status: 'succeeded', chargeId: id('ch'), declined: false },
    ...{ refunds: [], dispute: null },
  },
  {
    ...{ id: 'cs', created: 1, expiresAt: 2, status: 'complete', paymentStatus: 'paid', amountTotal: 500 },
    ...{ currency: 'usd', items: [], successUrl: 'https://a.example/', cancelUrl: null, clientReferenceId: null },
    ...{ customerEmail: null, adaptivePricing: false, metadata: {}, intentMetadata: {}, intentDescription: null },
    ...{ intentId: id('pi'), apiVersion: '' },
  },
);

const get = (answer: object, path = `/v1/disputes/${dispute.id}`) =>
  stripeRules.call?.({
    kind: 'call',
    provider: 'stripe',
    request: { method: 'GET', url: new URL(path, 'https://api.example'), headers: {}, body: '', params: {} },
    response: { status: 200, headers: {}, body: JSON.stringify(answer) },
  });
const place = 'GET /v1/disputes/:id answer';

it("a response that matches Stripe's declaration has no findings", () => {
  expect(get(dispute)).toEqual([]);
});

it.each<[string, object, string]>([
  ['a property that Stripe does not declare', { surprise: 1 }, `${place}.surprise is not declared`],
  [
    'a property within',
    { evidence_details: { ...dispute.evidence_details, late: true } },
    'evidence_details.late is not',
  ],
  ['a wrong type', { amount: '500' }, `${place}.amount: "500" is no number`],
  ['a value outside of a list', { status: 'pending' }, `${place}.status: "pending"`],
  ['a missing property', { reason: undefined }, `${place}.reason is missing`],
  ['an id of another object', { id: 'pp_1' }, `${place}.id: pp_1 is no id of a dispute`],
])('%s is a finding', (_, change, finding) => {
  expect(get({ ...dispute, ...change })).toContainEqual(expect.stringContaining(finding));
});

it('an undeclared parameter is a finding', () => {
  expect(get(dispute, `/v1/disputes/${dispute.id}?expand[]=charge`)).toEqual([]);
  expect(get(dispute, `/v1/disputes/${dispute.id}?unheard=1`)).toEqual([
    'GET /v1/disputes/:id request.unheard is not declared',
  ]);
});

it('an undeclared event is a finding', () => {
  const event = {
    id: 'evt_1',
    provider: 'stripe',
    type: 'charge.lost',
    subjectId: '',
    body: '{}',
    signedAs: '',
  } as const;
  expect(stripeRules.event?.({ kind: 'event', provider: 'stripe', event: { ...event, createdAt: 0 } })).toEqual([
    'charge.lost: no declaration of this event',
  ]);
});
