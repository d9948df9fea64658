import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { closeDb } from '@/db/client';
import { migrateDatabase } from '@/db/migrate';
import { type Child, startChild } from '../../scripts/process/child';
import { pickFreePort } from '../../scripts/process/ports';
import { waitForHttp } from '../../scripts/process/wait-for-http';

/** The cron secret of these instances. */
export const cronSecret = randomBytes(16).toString('hex');

/**
 * Starts several instances of the built app, as processes on a separate database, which this process uses from then on
 * too. They are one installation: they share APP_URL and the keys.
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
  Object.assign(process.env, { DATABASE_URL: own, MIGRATION_DATABASE_URL: owner });
  const children: Child[] = [];
  const start = async () => {
    const PORT = String(await pickFreePort());
    const env = { ...process.env, NODE_ENV: 'production', PORT, CRON_SECRET: cronSecret, ...settings };
    const child = startChild({
      name: `instance ${PORT}`,
      args: ['node_modules/next/dist/bin/next', 'start', '-p', PORT],
      env,
    });
    children.push(child);
    // The host name of the app under test, so that the responses are validated against the OpenAPI document.
    const origin = `http://localhost:${PORT}`;
    await waitForHttp(`${origin}/user/login`, child);
    return origin;
  };
  const stop = async () => {
    await Promise.all(children.map((child) => child.stop()));
    await closeDb();
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

function inDatabase(url: string, name: string): string {
  const own = new URL(url);
  own.pathname = `/${name}`;
  return own.href;
}
