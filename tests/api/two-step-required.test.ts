import { eq } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { settings } from '@/db/schema/settings';
import { permissions } from '@/lib/access/permissions';
import { twoStepKey } from '@/lib/auth/two-step-rule';
import { makeAccount } from '../factories/make-account';
import { makeRole } from '../factories/make-staff';
import { openClient } from '../setup/http-client';
import { contract } from './contract';
import { portalPages } from './pages';

// tests/domain/two-step-required.test.ts lists the actions concerned; this shows the HTTP behaviour.

let overdue: ReturnType<typeof openClient>;

beforeAll(async () => {
  // A role of its own, because other test files use the same installation.
  const role = await makeRole(permissions);
  await db()
    .insert(settings)
    .values({ key: twoStepKey, value: { roles: { [role]: 1 }, graceDays: 0 } });
  overdue = openClient();
  await overdue.signIn('admin', (await makeAccount({ role })).email);
  return async () => {
    await db().delete(settings).where(eq(settings.key, twoStepKey));
  };
});

const open = ['GET /api/user/auth/me', 'GET /api/admin/auth/me', 'GET /api/auth/reauthenticate'];

it.each(
  contract.filter(
    ({ method, path, access }) =>
      method === 'GET' &&
      !['public', 'signed', 'secret', 'seller'].includes(String(access)) &&
      !open.includes(`${method} ${path}`),
  ),
)('GET $path returns 403 with the code', async ({ path }) => {
  const concrete = path.replace('[provider]', 'stripe').replace(/\[\w+\]/, '999999999');
  expect(await overdue.get(concrete)).toMatchObject({ status: 403, body: { code: 'two_step_required' } });
});

it.each(open)('%s responds', async (line) => {
  expect((await overdue.get(line.replace('GET ', ''))).status).toBe(200);
});

it.each(portalPages.filter(([path, access]) => access !== 'seller' && !path.endsWith('/security')))(
  '%s shows no content',
  async (path, _, content) => {
    const { status, body } = await overdue.get(path.replace('[id]', '999999999'), { accept: 'text/html' });
    expect([200, 307]).toContain(status);
    expect(body).not.toContain(content);
  },
);

it.each(['/user/security', '/dashboard/security'])('%s is shown with the reason', async (path) => {
  const { status, body } = await overdue.get(path, { accept: 'text/html' });
  expect(status).toBe(200);
  expect(body).toContain('Where you are signed in');
  expect(body).toContain('Set up two-step sign-in to continue');
});
