import { rmSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { migrateDatabase } from '@/db/migrate';
import { startPostgres } from '../../scripts/postgres/start';
import { createTempFolder } from '../../scripts/testing/temp-folder';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The migrated database that the database of each test file is copied from; `adminUrl` connects as its owner. */
    template: { name: string; adminUrl: string; appUrl: string };
  }
}

/**
 * Creates the template once per run: on the server of TEST_DATABASE_ADMIN_URL and TEST_DATABASE_APP_URL (`npm test`
 * sets them), or on a temporary server.
 */
export default async function makeTemplate(project: TestProject): Promise<() => Promise<void>> {
  const server = await findServer();
  const name = `template_${process.pid}_${Date.now()}`;
  const admin = postgres(server.adminUrl, { max: 1, onnotice: () => undefined });
  const templateUrl = new URL(server.adminUrl);
  templateUrl.pathname = `/${name}`;
  await admin.unsafe(`create database ${name}`);
  await migrateDatabase(templateUrl.href);
  project.provide('template', { name, adminUrl: server.adminUrl, appUrl: server.appUrl });
  return async () => {
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.end();
    await server.stop();
  };
}

async function findServer(): Promise<{ adminUrl: string; appUrl: string; stop: () => Promise<void> }> {
  const { TEST_DATABASE_ADMIN_URL: adminUrl, TEST_DATABASE_APP_URL: appUrl } = process.env;
  if (adminUrl && appUrl) return { adminUrl, appUrl, stop: async () => undefined };
  const folder = createTempFolder('linkmarket-domain-');
  const server = await startPostgres(join(folder, 'data'), { durable: false });
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { adminUrl: server.adminUrl, appUrl: server.appUrl, stop };
}
