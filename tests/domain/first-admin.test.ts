import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { accountControllers, users } from '@/db/schema/users';
import { verifyPassword } from '@/lib/auth/password';
import { createAdmin, ensureFirstAdmin } from '@/lib/users/ensure-first-admin';
import { makeUser } from '@/tests/factories/make-user';

const password = 'a new and long password';

it('rejects a common password and a used address', async () => {
  await expect(ensureFirstAdmin('boss@example.com', 'Password1')).rejects.toThrow(/easy to guess/);
  const { email } = await makeUser();
  await expect(ensureFirstAdmin(email.toUpperCase(), password)).rejects.toThrow(
    /belongs to an account that is not an admin/,
  );
  expect(await db().select().from(users).where(eq(users.role, 'Admin'))).toEqual([]);
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
