import { expect } from 'vitest';
import type { Child } from '@/scripts/process/child';
import { openOrderLoad } from './order-load';

/**
 * Users order, browse and open pages while the database becomes unavailable and recovers: every error says what to do,
 * no order is lost or duplicated, and the process keeps running.
 * @param leave makes the database unavailable
 * @param restore restores it; always called
 */
export async function expectOutageSurvived(
  { appUrl, app }: { appUrl: string; app: Child },
  { leave, restore }: { leave: () => unknown; restore: () => unknown },
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
    // Liveness stays 200, so that the process is not restarted; readiness fails, so that traffic goes elsewhere.
    expect(await health('/live')).toBe(200);
    expect(await health()).toBe(503);
  } finally {
    await restore();
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
  // The error page queries /api/health; its own response does not disclose the cause.
  expect(new Set(page.map(({ status }) => status))).toEqual(new Set([200, 503]));
  for (const failed of page.filter(({ status }) => status === 503)) {
    expect(failed.headers.get('retry-after')).toBe('5');
    expect(failed.body).not.toMatch(/ECONNREFUSED|CONNECTION_|ETIMEDOUT|Failed query|select /);
  }
}
