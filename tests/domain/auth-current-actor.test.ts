import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { sessions, users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { findActor } from '@/lib/auth/current-actor';
import { encodeSessionToken, sessionCookieName } from '@/lib/auth/session-token';
import { newId } from '@/lib/ids';
import { catalogueVersion } from '@/lib/sites/catalogue/catalogue-version';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';

type Expected = Pick<Actor, 'userId' | 'role' | 'permissions'>;
type Person = { token: string; as: 'cookie' | 'bearer'; expected: Expected | null };

const inAnHour = () => new Date(Date.now() + 3_600_000);

async function openSession(userId: string, state: { expiresAt?: Date; endedAt?: Date } = {}): Promise<string> {
  const id = newId();
  await db()
    .insert(sessions)
    .values({ id, userId, expiresAt: inAnHour(), ...state });
  return id;
}

/** The headers of a request of that user. */
function request({ token, as }: Pick<Person, 'token' | 'as'>) {
  const headers = new Headers(as === 'bearer' ? { authorization: `Bearer ${token}` } : {});
  const get = (name: string) => (as === 'cookie' && name === sessionCookieName() ? { value: token } : undefined);
  return { headers, cookies: { get } };
}

/** Users of every role with a session, and every way in which a session is invalid. */
async function makeUsers(): Promise<Person[]> {
  const people: Person[] = [];
  const made = [makeUser('User'), makeUser('Seller'), makeStaff('ManageWallets'), makeStaff('ManageSites')];
  for (const { userId, role, permissions } of await Promise.all(made)) {
    const tokenOf = (id: string) => encodeSessionToken(userId, id, 3_600);
    const expected = { userId, role, permissions };
    const running = await openSession(userId);
    const stranger = await makeUser();
    people.push(
      { token: await tokenOf(running), as: 'cookie', expected },
      { token: await tokenOf(await openSession(userId)), as: 'bearer', expected },
      { token: await encodeSessionToken(stranger.userId, running, 3_600), as: 'cookie', expected: null },
      { token: await tokenOf(await openSession(userId, { endedAt: new Date() })), as: 'cookie', expected: null },
      { token: await tokenOf(await openSession(userId, { expiresAt: new Date() })), as: 'bearer', expected: null },
      { token: await tokenOf(newId()), as: 'cookie', expected: null },
      { token: await tokenOf(`${running},${await openSession(userId)}`), as: 'cookie', expected: null },
      { token: 'no-token-at-all', as: 'bearer', expected: null },
    );
    for (const left of [{ status: 'Suspended' as const }, { deletedAt: new Date() }]) {
      const gone = await makeUser();
      const token = await encodeSessionToken(gone.userId, await openSession(gone.userId), 3_600);
      await db().update(users).set(left).where(eq(users.id, gone.userId));
      people.push({ token, as: 'cookie', expected: null });
    }
  }
  return people;
}

describe('concurrent requests that share one session query', () => {
  let people: Person[];
  beforeAll(async () => {
    people = await makeUsers();
  });

  it('get the same result as alone', async () => {
    const requests = fc.array(fc.record({ who: fc.nat(people.length - 1), withText: fc.boolean() }), {
      minLength: 1,
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(requests, async (asking) => {
        const answers = await Promise.all(
          asking.map(async ({ who, withText }) => {
            const person = people[who] ?? people[0];
            if (!person) throw new Error('There is no test user.');
            const found = await findActor(request(person), withText ? { alongside: catalogueVersion } : {});
            return { person, withText, ...found };
          }),
        );
        for (const { person, withText, actor, alongside } of answers) {
          if (person.expected) {
            expect(actor).toMatchObject(person.expected);
            expect(alongside).toEqual(withText ? expect.stringMatching(/./) : '');
          } else expect([actor, alongside]).toEqual([null, null]);
        }
      }),
    );
  });

  it('cache nothing: a session that ended in between is invalid', async () => {
    const { userId } = await makeUser();
    const id = await openSession(userId);
    const caller = request({ token: await encodeSessionToken(userId, id, 3_600), as: 'cookie' });
    const once = async () =>
      (await Promise.all([findActor(caller), findActor(caller)])).map(({ actor }) => actor?.userId);
    expect(await once()).toEqual([userId, userId]);
    await db().update(sessions).set({ endedAt: new Date() }).where(eq(sessions.id, id));
    expect(await once()).toEqual([undefined, undefined]);
  });
});
