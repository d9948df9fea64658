import { it } from 'vitest';
import { type PaymentProviderName, paymentProviders } from '@/db/schema/topups';
import { isFullRun, testSeed } from '@/scripts/testing/tier';

/**
 * Returns the `it` of rules behind the clients of the payment providers, which all three share: a run has each such test
 * with one provider, the next test with another; the full run has them with all. What a client itself does is tested with
 * each in every run.
 */
export function testInTurn(provider: PaymentProviderName) {
  let turn = testSeed + paymentProviders.indexOf(provider);
  return (name: string, body: () => Promise<void>): void => {
    turn += 1;
    if (isFullRun || turn % paymentProviders.length === 0) it(name, body);
  };
}
