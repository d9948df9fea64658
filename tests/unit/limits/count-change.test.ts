import { expect, test } from 'vitest';
import { newId } from '@/lib/ids';
import { countChange } from '@/lib/platform/rate-limits/consume';

const perMinute = 60;

/** How many of these concurrent changes are allowed. */
function taken(userId: string, tries: number, now: number): number {
  let count = 0;
  for (; count < tries; count++) {
    try {
      countChange(userId, { perMinute, now });
    } catch {
      break;
    }
  }
  return count;
}

test('allows a burst of one minute, then changes at the sustained rate', () => {
  const user = newId();
  expect(taken(user, 2 * perMinute, 0)).toBe(perMinute);
  expect(() => countChange(user, { perMinute, now: 0 })).toThrow(
    expect.objectContaining({ code: 'rate_limited', details: { retryAfterSeconds: 1 } }),
  );
  expect(taken(user, 2 * perMinute, 30_000)).toBe(perMinute / 2);
  expect(taken(user, 2 * perMinute, 10 * 60_000)).toBe(perMinute);
});

test('limits each user separately', () => {
  const [busy, other] = [newId(), newId()];
  taken(busy, 2 * perMinute, 0);
  expect(taken(other, 5, 0)).toBe(5);
});
