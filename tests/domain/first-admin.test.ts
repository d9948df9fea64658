import { eq } from 'drizzle-orm';
import { afterEach, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { accountControllers } from '@/db/schema/accounts';
import { users } from '@/db/schema/users';
import { verifyPassword } from '@/lib/auth/password';
import { describeSetup, isSetupCode, needsSetup } from '@/lib/auth/setup-code';
import { setUpAction } from '@/lib/users/actions';
import { createAdmin, ensureFirstAdmin } from '@/lib/users/first-admin';
import { makeUser } from '@/tests/factories/make-user';
import { inRequest } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

afterEach(() => db().delete(users).where(eq(users.role, 'Admin')));

const password = 'a new and long password';

it('rejects a common password and a used address', async () => {
  await expect(ensureFirstAdmin('boss@example.com', 'Password1')).rejects.toThrow(/easy to guess/);
  const { email } = await makeUser();
  await expect(ensureFirstAdmin(email.toUpperCase(), password)).rejects.toThrow(
    /belongs to an account that is not an admin/,
  );
  expect(await db().select().from(users).where(eq(users.role, 'Admin'))).toEqual([]);
});

it('is created on the setup page with the code of the log: once, for one of several people, and never again', async () => {
  const line = await describeSetup();
  const code = /#(\S+) /.exec(line ?? '')?.[1] ?? '';
  expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/);
  // Every process computes the same code, and people may copy it in other forms.
  expect(await describeSetup()).toBe(line);
  expect(
    await isSetupCode(` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `),
  ).toBe(true);
  const { email: known } = await makeUser();
  const ada = { code, name: 'Ada', email: 'ada@example.com', password };
  const ask = (changed: Partial<typeof ada>) => inRequest({}, () => setUpAction({ ...ada, ...changed }));
  for (const [changed, field] of [
    [{ code: '' }, 'code'],
    [{ code: code.slice(1) }, 'code'],
    [{ code: 'AAAAA-AAAAA-AAAAA-AAAAA' }, 'code'],
    [{ name: ' ' }, 'name'],
    [{ email: 'ada' }, 'email'],
    [{ email: known.toUpperCase() }, 'email'],
    [{ password: 'short' }, 'password'],
    [{ password: 'LinkMarket1' }, 'password'],
  ] as const) {
    expect(await ask(changed), field).toMatchObject({
      ok: false,
      status: 400,
      fields: { [field]: expect.any(String) },
    });
  }
  expect(await needsSetup()).toBe(true);

  const made = await Promise.all(['ada', 'bob', 'eve'].map((name) => ask({ email: `${name}@example.com` })));
  expect(made.map((one) => (one.ok ? 200 : one.status)).sort()).toEqual([200, 404, 404]);
  const [admin, ...more] = await db().select().from(users).where(eq(users.role, 'Admin'));
  expect(more).toEqual([]);
  expect(admin).toMatchObject({ name: 'Ada', status: 'Active', emailVerifiedAt: expect.any(Date), rightsSince: null });
  expect([await needsSetup(), await describeSetup()]).toEqual([false, null]);
  expect(await ask({ email: 'late@example.com' })).toMatchObject({ ok: false, status: 404, url: '/admin/login' });
});

it('is created once by concurrent instances, can sign in, and is not changed afterwards', async () => {
  const made = await Promise.all(Array.from({ length: 4 }, () => ensureFirstAdmin('boss@example.com', password)));
  expect(made.sort()).toEqual(['created', 'exists', 'exists', 'exists']);
  const [admin, ...more] = await db().select().from(users).where(eq(users.role, 'Admin'));
  expect(more).toEqual([]);
  expect(admin).toMatchObject({ email: 'boss@example.com', status: 'Active', emailVerifiedAt: expect.any(Date) });
  expect(await verifyPassword(admin?.passwordHash ?? null, password)).toBe(true);
  // A start with a common password or another address changes nothing.
  expect(await ensureFirstAdmin('other@example.com', 'Password1')).toBe('exists');
  expect(await db().select().from(users).where(eq(users.role, 'Admin'))).toEqual([admin]);
});

it('is followed by further admins of the operator, each created once and controlled by no user', async () => {
  const make = () => createAdmin('second@example.com', password);
  expect((await Promise.all([make(), make()])).sort()).toEqual(['created', 'exists']);
  const [second] = await db().select().from(users).where(eq(users.email, 'second@example.com'));
  expect(second).toMatchObject({ role: 'Admin', status: 'Active', rightsSince: null });
  expect(await db().$count(accountControllers)).toBe(0);
  const { email } = await makeUser();
  await expect(createAdmin(email, password)).rejects.toThrow(/belongs to an account that is not an admin/);
});
