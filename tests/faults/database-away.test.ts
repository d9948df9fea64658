import { expect, it } from 'vitest';
import { openInstallation } from '../setup/installation';
import { openOrderLoad } from '../setup/order-load';

const installation = await openInstallation();
const { appUrl } = installation;
const app = await installation.startApp();
const health = async (path = '') => (await fetch(`${appUrl}/api/health${path}`)).status;

it('PostgreSQL stopped and started under load: nothing lost, nothing doubled, and everybody is told what to do', async () => {
  const load = await openOrderLoad(appUrl);
  await expect.poll(load.confirmed).toBeGreaterThan(20);
  expect(await health()).toBe(200);

  await installation.stopPostgres();
  await expect.poll(() => load.seen('order', 503)).toBeGreaterThan(5);
  await expect.poll(() => load.seen('catalogue', 503)).toBeGreaterThan(0);
  await expect.poll(() => load.seen('page', 503)).toBeGreaterThan(0);
  // It is no reason to restart the process, and one to send people elsewhere.
  expect(await health('/live')).toBe(200);
  expect(await health()).toBe(503);

  await installation.startPostgres();
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
    expect(failed.body).not.toMatch(/ECONNREFUSED|CONNECTION_|Failed query|select /);
  }
});

it('what the log tells of it names the statement and the reason, and nobody’s address', async () => {
  const failures = installation.log().filter(({ msg }) => msg === 'The database does not answer.');
  expect(failures.length).toBeGreaterThan(5);
  expect(failures[0]).toMatchObject({ level: 'error', requestId: expect.any(String), err: expect.anything() });
  expect(installation.printed()).not.toMatch(/@example\.com|linkmarket\.session[\w.-]*=(?!\[)/);
});

it('a database that lacks a migration is not ready', async () => {
  const { default: postgres } = await import('postgres');
  const sql = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
  const [newest] = await sql`delete from drizzle.__drizzle_migrations
    where id = (select max(id) from drizzle.__drizzle_migrations) returning *`;
  const answer = await fetch(`${appUrl}/api/health`);
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { error: 'Not ready: migrations.', fields: { migrations: 'failing' } },
  ]);
  await sql`insert into drizzle.__drizzle_migrations ${sql(newest ?? {})}`;
  await sql.end();
  expect(await health()).toBe(200);
});
