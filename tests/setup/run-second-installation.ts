import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { migrateDatabase } from '@/db/migrate';
import { startChild } from '@/scripts/process/child';
import { runCommand } from '@/scripts/process/lifetime';
import { pickFreePort } from '@/scripts/process/ports';
import { waitForHttp } from '@/scripts/process/wait-for-http';

/**
 * The process of second-installation.ts: the built app with a separate database and files. Prints `{ origin,
 * databaseUrl }` when it is ready, and removes everything on termination.
 */
runCommand(async (lifetime) => {
  const { MIGRATION_DATABASE_URL: ownerUrl, DATABASE_URL: appUrl } = process.env;
  if (!ownerUrl || !appUrl) throw new Error('There is no database: run these tests with npm test -- e2e');
  const name = `second_${randomBytes(8).toString('hex')}`;
  const inside = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const folder = await lifetime.own(Promise.resolve(mkdtempSync(join(tmpdir(), 'linkmarket-second-'))), (path) =>
    rmSync(path, { recursive: true, force: true }),
  );
  const admin = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await lifetime.own(admin.unsafe(`create database ${name}`), async () => {
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.end();
  });
  await migrateDatabase(inside(ownerUrl));
  const port = await pickFreePort();
  const origin = `http://localhost:${port}`;
  const databaseUrl = inside(appUrl);
  const app = startChild({
    name: 'second app',
    args: ['node_modules/next/dist/bin/next', 'start', '-p', String(port)],
    env: {
      NODE_ENV: 'production',
      PORT: String(port),
      APP_URL: origin,
      DATABASE_URL: databaseUrl,
      MIGRATION_DATABASE_URL: inside(ownerUrl),
      DATA_DIR: folder,
    },
  });
  await lifetime.own(Promise.resolve(app), (running) => running.stop());
  await waitForHttp(`${origin}/admin/login`, app);
  process.stdout.write(`${JSON.stringify({ origin, databaseUrl })}\n`);
});
