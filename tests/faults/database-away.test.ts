import { expect, it } from 'vitest';
import { expectOutageSurvived } from '@/tests/setup/expect-outage-survived';
import { openInstallation } from '@/tests/setup/installation';

const installation = await openInstallation();
const { appUrl } = installation;
const app = await installation.startApp();
const health = async (path = '') => (await fetch(`${appUrl}/api/health${path}`)).status;

it('a restart of PostgreSQL under load loses and duplicates nothing, and errors say what to do', async () => {
  const { stopPostgres: leave, startPostgres: restore } = installation;
  await expectOutageSurvived({ appUrl, app }, { leave, restore });
});

it('a frozen PostgreSQL under load returns errors, and loses and duplicates nothing when it resumes', async () => {
  let thaw: () => void = () => undefined;
  // Each waiting request has a connection to a server that does not respond.
  const leave = () => {
    thaw = installation.freezePostgres();
  };
  const before = installation.log().length;
  await expectOutageSurvived({ appUrl, app }, { leave, restore: () => thaw() });
  const said = installation
    .log()
    .slice(before)
    .filter(({ msg }) => /database (hangs|responds again)/.test(msg));
  expect(said.map(({ level }) => level)).toEqual(['error', 'info']);
});

it('the log names the statement and the reason, and no IP address', async () => {
  const failures = installation.log().filter(({ msg }) => msg === 'The database does not respond.');
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
