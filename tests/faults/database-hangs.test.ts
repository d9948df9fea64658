import { expect, it } from 'vitest';
import { openInstallation } from '../setup/installation';
import { openOrderLoad } from '../setup/order-load';

const installation = await openInstallation();
const { appUrl } = installation;
const app = await installation.startApp();
const health = async (path = '') => (await fetch(`${appUrl}/api/health${path}`)).status;

it('PostgreSQL frozen under load: whoever waits is told, nothing lost, nothing doubled when it goes on', async () => {
  const load = await openOrderLoad(appUrl);
  await expect.poll(load.confirmed).toBeGreaterThan(20);

  const thaw = installation.freezePostgres();
  try {
    // Each of them has waited for a server that took the connection and says nothing.
    await expect.poll(() => load.seen('order', 503)).toBeGreaterThan(5);
    await expect.poll(() => load.seen('catalogue', 503)).toBeGreaterThan(0);
    await expect.poll(() => load.seen('page', 503)).toBeGreaterThan(0);
    expect(await health('/live')).toBe(200);
    expect(await health()).toBe(503);
  } finally {
    thaw();
  }

  const before = load.confirmed();
  await expect.poll(() => health()).toBe(200);
  await expect.poll(load.confirmed).toBeGreaterThan(before + 20);
  await load.stop();
  await load.settle();
  expect(app.hasExited()).toBe(false);

  const { order, catalogue } = load.answers;
  expect(new Set(order.map(({ status }) => status))).toEqual(new Set([201, 503]));
  expect(new Set(catalogue.map(({ status }) => status))).toEqual(new Set([200, 503]));
  for (const refused of [...order, ...catalogue].filter(({ status }) => status === 503)) {
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(JSON.parse(refused.body)).toEqual({ error: expect.stringContaining('cannot reach its database') });
  }
});

it('the log says when it began and when it was over', () => {
  const said = installation.log().filter(({ msg }) => /database (hangs|answers again)/.test(msg));
  expect(said.map(({ level }) => level)).toEqual(['error', 'info']);
});
