import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { closeDb } from '@/db/client';
import { migrateDatabase } from '@/db/migrate';
import { env } from '@/lib/env';
import { type Child, startChild } from '@/scripts/process/child';
import { pickFreePort } from '@/scripts/process/ports';
import { waitForHttp } from '@/scripts/process/wait-for-http';

/** The cron secret of these instances. */
export const cronSecret = randomBytes(16).toString('hex');

/**
 * Starts several instances of the built app, as processes on a separate database, which this process also uses until
 * they stop. They are one installation: they share APP_URL and the keys.
 * @param settings environment variables of the instances
 * @returns the origin of each
 */
export async function startInstances(count: number, settings: Record<string, string> = {}) {
  const { MIGRATION_DATABASE_URL: ownerUrl, DATABASE_URL: appUrl } = process.env;
  if (!ownerUrl || !appUrl) throw new Error('There is no database: run these tests with npm test -- api');
  const name = `instances_${randomBytes(8).toString('hex')}`;
  const admin = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await admin.unsafe(`create database ${name}`);
  const [owner, own] = [inDatabase(ownerUrl, name), inDatabase(appUrl, name)];
  await migrateDatabase(owner);
  await switchDatabase(own);
  const children: Child[] = [];
  const start = async () => {
    const PORT = String(await pickFreePort());
    const database = { DATABASE_URL: own, MIGRATION_DATABASE_URL: owner };
    const common = { ...process.env, ...database, NODE_ENV: 'production', CRON_SECRET: cronSecret };
    const child = startChild({
      name: `instance ${PORT}`,
      args: ['node_modules/next/dist/bin/next', 'start', '-p', PORT],
      env: { ...common, PORT, ...settings },
    });
    children.push(child);
    // The host name of the app under test, so that the responses are validated against the OpenAPI document.
    const origin = `http://localhost:${PORT}`;
    await waitForHttp(`${origin}/user/login`, child);
    return origin;
  };
  const stop = async () => {
    await Promise.all(children.map((child) => child.stop()));
    await switchDatabase(appUrl);
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.end();
  };
  try {
    return { origins: await Promise.all(Array.from({ length: count }, start)), stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

/** Makes the app's code in this process use another database. */
async function switchDatabase(url: string): Promise<void> {
  await closeDb();
  env().DATABASE_URL = url;
}

function inDatabase(url: string, name: string): string {
  const own = new URL(url);
  own.pathname = `/${name}`;
  return own.href;
}
