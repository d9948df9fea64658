import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/users';
import { parseIdCursor } from '@/lib/id-cursor';
import { newId } from '@/lib/ids';
import { listPeople, personSortKeys } from '@/lib/users/queries';
import { makeUser } from '@/tests/factories/make-user';

const limit = 4;
const userCount = 15;

beforeAll(async () => {
  for (let n = 0; n < userCount; n++) {
    const { userId } = await makeUser(n % 3 === 0 ? 'Seller' : 'User', { name: n % 4 === 0 ? '' : `Person ${n % 5}` });
    // Equal times, times that differ by less than a millisecond, and unknown ones.
    await db()
      .update(users)
      .set({
        createdAt: sql`timestamptz '2026-01-01' + make_interval(secs => ${(n % 6) / 10_000})`,
        lastSeenAt: n % 2 === 0 ? null : sql`timestamptz '2026-01-02' + make_interval(secs => ${(n % 5) / 10_000})`,
      })
      .where(eq(users.id, userId));
  }
});

const sorts = personSortKeys.flatMap((key) => (['asc', 'desc'] as const).map((order) => ({ key, order })));

describe('the list of users', () => {
  it.each(sorts)('has each user once on its pages, from either end, by $key $order', async (sort) => {
    const whole = (await listPeople({ limit: 100 }, sort)).rows.map(({ id }) => id);
    expect(whole.length).toBeGreaterThanOrEqual(userCount);
    const byOffset: string[] = [];
    for (let offset = 0; offset < whole.length; offset += limit)
      byOffset.push(...(await listPeople({ limit, offset }, sort)).rows.map(({ id }) => id));
    expect(byOffset).toEqual(whole);
    let page = await listPeople({ limit }, sort);
    const forwards = page.rows.map(({ id }) => id);
    while (page.next) {
      page = await listPeople({ limit, cursor: parseIdCursor(page.next) ?? undefined }, sort);
      forwards.push(...page.rows.map(({ id }) => id));
    }
    expect(forwards).toEqual(whole);
    page = await listPeople({ limit, cursor: { toward: 'last' } }, sort);
    const backwards = page.rows.map(({ id }) => id);
    while (page.previous) {
      page = await listPeople({ limit, cursor: parseIdCursor(page.previous) ?? undefined }, sort);
      backwards.unshift(...page.rows.map(({ id }) => id));
    }
    expect(backwards).toEqual(whole);
  });

  it('finds the user of a full address only, and users by a part of it', async () => {
    const name = newId();
    const short = await makeUser('User', { email: `${name}@example.com` });
    const long = await makeUser('User', { email: `x${name}@example.com` });
    const find = async (q: string) => (await listPeople({ q, limit: 10 })).rows.map(({ id }) => id).sort();
    expect(await find(`${name.toUpperCase()}@example.com`)).toEqual([short.userId]);
    expect(await find(`${name}@example.co`)).toEqual([short.userId, long.userId].sort());
    expect(await find(long.userId)).toEqual([long.userId]);
  });
});
