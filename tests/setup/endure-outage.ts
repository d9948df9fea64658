import { expect } from 'vitest';
import type { Child } from '@/scripts/process/child';
import { openOrderLoad } from './order-load';

/**
 * People order, browse and look at pages while the database goes away and comes back: everybody is told what to do,
 * nothing is lost or doubled, and the process lives.
 * @param leave takes the database away
 * @param comeBack brings it back; it is called whatever happened before
 */
export async function endureOutage(
  { appUrl, app }: { appUrl: string; app: Child },
  { leave, comeBack }: { leave: () => unknown; comeBack: () => unknown },
): Promise<void> {
  const health = async (path = '') => (await fetch(`${appUrl}/api/health${path}`)).status;
  const load = await openOrderLoad(appUrl);
  await expect.poll(load.confirmed).toBeGreaterThan(20);
  expect(await health()).toBe(200);

  await leave();
  try {
    await expect.poll(() => load.seen('order', 503)).toBeGreaterThan(5);
    await expect.poll(() => load.seen('catalogue', 503)).toBeGreaterThan(0);
    await expect.poll(() => load.seen('page', 503)).toBeGreaterThan(0);
    // It is no reason to restart the process, and one to send people elsewhere.
    expect(await health('/live')).toBe(200);
    expect(await health()).toBe(503);
  } finally {
    await comeBack();
  }

  const before = load.confirmed();
  await expect.poll(() => health()).toBe(200);
  await expect.poll(load.confirmed).toBeGreaterThan(before + 20);
  await load.stop();
  await load.settle();
  expect(app.hasExited()).toBe(false);

  const { order, catalogue, page } = load.answers;
  expect(new Set(order.map(({ status }) => status))).toEqual(new Set([201, 503]));
  expect(new Set(catalogue.map(({ status }) => status))).toEqual(new Set([200, 503]));
  for (const refused of [...order, ...catalogue].filter(({ status }) => status === 503)) {
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(JSON.parse(refused.body)).toEqual({ error: expect.stringContaining('cannot reach its database') });
  }
  // The page that says so asks /api/health; what failed is not in it.
  expect(new Set(page.map(({ status }) => status))).toEqual(new Set([200, 503]));
  for (const failed of page.filter(({ status }) => status === 503)) {
    expect(failed.headers.get('retry-after')).toBe('5');
    expect(failed.body).not.toMatch(/ECONNREFUSED|CONNECTION_|ETIMEDOUT|Failed query|select /);
  }
}
