import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { sessions } from '@/db/schema/users';
import { limits } from '@/lib/platform/rate-limits/limits';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { appUrl, openClient } from '@/tests/setup/http-client';

// tests/domain/step-up.test.ts lists the endpoints concerned; this shows the HTTP behaviour.

const path = '/api/auth/reauthenticate';

async function staleAdmin() {
  const admin = await makeAccount({ role: 'Admin' });
  const client = openClient();
  expect((await client.signIn('admin', admin.email)).status).toBe(200);
  await db()
    .update(sessions)
    .set({ authenticatedAt: sql`now() - interval '6 minutes'` })
    .where(eq(sessions.userId, admin.userId));
  return { client };
}

it('refuses a request with a code, and accepts it after the password was entered', async () => {
  const { client } = await staleAdmin();
  const refused = await client.post('/api/acl/roles', { name: 'Step Up Role' });
  expect(refused).toMatchObject({ status: 403, body: { code: 'reauthentication_required' } });
  expect((await client.get(path)).body).toMatchObject({ isRecent: false });
  expect((await client.post(path, { password: testPassword })).status).toBe(200);
  expect((await client.get(path)).body).toMatchObject({ isRecent: true });
  expect((await client.post('/api/acl/roles', { name: 'Step Up Role' })).status).toBe(201);
});

it('refuses the password without a session, cross-site, wrong, malformed or after too many attempts', async () => {
  const { client } = await staleAdmin();
  expect((await openClient().get(path)).status).toBe(401);
  expect((await openClient().post(path, { password: testPassword })).status).toBe(401);
  expect((await client.post(path, { password: testPassword }, { origin: 'https://evil.example' })).status).toBe(403);
  expect((await client.post(path, {})).status).toBe(400);
  expect((await client.post(path, { password: 'x'.repeat(2_000_000) })).status).toBe(413);
  for (let tries = 0; tries < limits.password.pair.max; tries += 1) {
    expect((await client.post(path, { password: 'wrong' })).status).toBe(400);
  }
  const limited = await client.post(path, { password: testPassword });
  expect(limited.status).toBe(429);
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
});

it('redirects a browser from a backup link to the password page, and returns the code to other clients', async () => {
  const { client } = await staleAdmin();
  const link = '/dashboard/features/backup/01jd0000000000000000000000/download';
  expect(await client.get(link)).toMatchObject({ status: 403, body: { code: 'reauthentication_required' } });
  const led = await client.get(link, { accept: 'text/html,*/*' });
  expect(led.status).toBe(303);
  expect(led.headers.get('location')).toBe(
    `${new URL(appUrl).origin}/dashboard/confirm?next=${encodeURIComponent(link)}`,
  );
  await client.post(path, { password: testPassword });
  expect((await client.get(link)).status).toBe(404);
});
