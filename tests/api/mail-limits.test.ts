import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { sessions } from '@/db/schema/users';
import { newId } from '@/lib/ids';
import { limits } from '@/lib/platform/rate-limits/limits';
import { makeAccount } from '@/tests/factories/make-account';
import { openClient } from '@/tests/setup/http-client';

it.each([
  ['forgot', '/api/user/auth/forgot'],
  ['resend', '/api/user/auth/verify/resend'],
] as const)(
  "another caller's requests that use up the %s mails of an account do not block its owner",
  async (name, path) => {
    const { email, userId } = await makeAccount();
    const [owner, stranger] = [openClient(), openClient()];
    const expiresAt = new Date(Date.now() + 3_600_000);
    await db().insert(sessions).values({ id: newId(), userId, ip: owner.address, expiresAt });
    const count = limits[name].account.max;
    const key = `${name}:account:${email}`;
    await db().insert(rateLimits).values({ key, count, resetsAt: sql`now() + interval '1 hour'` });
    expect((await stranger.post(path, { email })).status).toBe(429);
    expect((await owner.post(path, { email })).status).toBe(200);
  },
);
