import { DrizzleQueryError } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { isOutage, ProviderError, ProviderRefusal } from '@/lib/payments/providers/provider';
import { failureReason } from '@/lib/payments/providers/provider-calls';
import { formatAmount } from '@/lib/payments/top-ups/payment-issues';
import { describeError } from '@/lib/platform/log/describe-error';

const failedQuery = () =>
  new DrizzleQueryError('update topups set reason = $1', ['buyer@example.com'], new Error('deadlock detected'));

it('a failed query is stored without its parameters', () => {
  expect(failureReason(failedQuery())).toBe('Error: deadlock detected (Failed query: update topups set reason = $1)');
  expect(failureReason(new ProviderError('Stripe is silent'))).toBe('Stripe is silent');
  expect(failureReason(new Error('x'.repeat(500)))).toHaveLength(300);
});

it('omits the parameters of a query that caused another error', () => {
  const described = describeError(new Error('The event failed', { cause: failedQuery() }));
  expect(described.cause).toContain('deadlock detected');
  expect(JSON.stringify(described)).not.toContain('buyer@example.com');
});

it.each([
  [new ProviderError('no answer'), true],
  [new ProviderRefusal('wrong key', 401), true],
  [new ProviderRefusal('too many', 429), true],
  [new ProviderRefusal('broken', 500), true],
  [new ProviderRefusal('no such order', 404), false],
  [new ProviderRefusal('not approved', 422), false],
  [new Error('ours'), false],
])('%s is an outage of the provider: %s', (thrown, expected) => {
  expect(isOutage(thrown)).toBe(expected);
});

it.each([
  [1_000, 'USD', '10.00 USD'],
  [1, 'USD', '0.01 USD'],
  [0, 'EUR', '0.00 EUR'],
  [1_000, 'JPY', '1000 JPY'],
  [1_000, 'KWD', '1.000 KWD'],
  [1_000, '', '10.00 '],
])('%i minor units of %s are formatted as "%s"', (amountMinor, currency, words) => {
  expect(formatAmount(amountMinor, currency)).toBe(words);
});
