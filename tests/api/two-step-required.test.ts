import { eq } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { settings } from '@/db/schema/settings';
import { permissions } from '@/lib/access/permissions';
import { twoStepKey } from '@/lib/auth/two-step';
import { rotatingThird } from '@/scripts/testing/tier';
import { makeAccount } from '@/tests/factories/make-account';
import { makeRole } from '@/tests/factories/make-staff';
import { openClient } from '@/tests/setup/http-client';
import { examplePath, isGuarded, portalPages, routes } from './routes';

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

const reads = routes.filter((route) => route.method === 'GET' && isGuarded(route) && route.access !== 'seller');
const isOpen = ({ options }: { options: string[] }) => options.includes('beforeTwoStep');

it.each(reads.filter((route) => !isOpen(route)))('GET $path returns 403 with the code', async ({ path }) => {
  expect(await overdue.get(examplePath(path))).toMatchObject({ status: 403, body: { code: 'two_step_required' } });
});

it.each(reads.filter(isOpen))('GET $path responds', async ({ path }) => {
  expect((await overdue.get(path)).status).toBe(200);
});

const pages = portalPages.filter(({ access }) => access !== 'seller');

// All pages have one guard, as the snapshot shows.
it.each(rotatingThird(pages.filter((page) => !isOpen(page))))('$path shows no content', async ({ path, text }) => {
  const { status, body } = await overdue.get(examplePath(path), { accept: 'text/html' });
  expect([200, 307]).toContain(status);
  expect(body).not.toContain(text);
});

it.each(pages.filter(isOpen))('$path is shown with the reason', async ({ path }) => {
  const { status, body } = await overdue.get(path, { accept: 'text/html' });
  expect(status).toBe(200);
  expect(body).toContain('Manage your sessions');
  expect(body).toContain('Set up two-step sign-in to continue');
});
