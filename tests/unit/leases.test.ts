import { expect, it } from 'vitest';
import { getBackoffSeconds } from '@/lib/platform/leases';

it('doubles the wait up to the maximum', () => {
  const backoff = { firstSeconds: 60, maxSeconds: 3_600 };
  const waits = [0, 1, 2, 5, 6, 10, 5_000].map((attempts) => getBackoffSeconds(attempts, backoff));
  expect(waits).toEqual([60, 120, 240, 1_920, 3_600, 3_600, 3_600]);
});
