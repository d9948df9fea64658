import { expect, it } from 'vitest';
import { newId } from '@/lib/ids';
import { makeAccount } from '@/tests/factories/make-account';
import { areDistinguishable, compareTimes } from '@/tests/setup/compare-times';
import { openClient } from '@/tests/setup/http-client';

// tests/domain/auth-equal-work.test.ts proves the equal work: the same hash and statements. This measures the result as
// an attacker would.

const password = 'not the password';
const rounds = 24;

it.each(['/api/user/auth/login', '/api/user/auth/register', '/api/user/auth/forgot', '/api/user/auth/verify/resend'])(
  '%s takes equally long for a known and an unknown email',
  { timeout: 300_000 },
  async (path) => {
    // One attempt each, because a rate-limited response is quick.
    const known = await Promise.all(Array.from({ length: rounds }, () => makeAccount({ status: 'Pending' })));
    const send = (email: string) => openClient().post(path, { email, password });
    await send(`${newId()}@example.com`);
    const times = await compareTimes(
      rounds,
      async (round) => send(known[round]?.email ?? ''),
      () => send(`${newId()}@example.com`),
    );
    const { medianOfOne, medianOfOther, winsOfOne } = times;
    console.info(
      `${path}: known ${medianOfOne.toFixed(1)} ms, unknown ${medianOfOther.toFixed(1)} ms, known quicker in ${(winsOfOne * 100).toFixed(0)} %`,
    );
    expect(areDistinguishable(times), JSON.stringify(times)).toBe(false);
  },
);
