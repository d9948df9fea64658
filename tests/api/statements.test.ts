import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inArray } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { users } from '@/db/schema/users';
import { env } from '@/lib/env';
import { type Child, startChild } from '@/scripts/process/child';
import { pickFreePort } from '@/scripts/process/ports';
import { waitForHttp } from '@/scripts/process/wait-for-http';
import { demoEmails } from '@/scripts/seed/people';
import { makeUser } from '@/tests/factories/make-user';
import { openCountingProxy } from '@/tests/setup/counting-proxy';
import { openClient } from '@/tests/setup/http-client';
import { openSession } from '@/tests/setup/open-session';
import { findRecords } from '@/tests/setup/page-records';
import { isGuarded, portalPages, routes } from './routes';

let proxy: Awaited<ReturnType<typeof openCountingProxy>>;
let app: Child;
let origin: string;
const cookies = { user: '', seller: '', admin: '' };
let records: Map<string, string>;

/** An instance on the database of the app under test, with its demo data. */
beforeAll(async () => {
  proxy = await openCountingProxy(env().DATABASE_URL);
  const PORT = String(await pickFreePort());
  app = startChild({
    name: 'counted instance',
    args: ['node_modules/next/dist/bin/next', 'start', '-p', PORT],
    env: { ...process.env, NODE_ENV: 'production', PORT, DATABASE_URL: proxy.url, JOBS: 'off' },
  });
  origin = `http://localhost:${PORT}`;
  await waitForHttp(`${origin}/user/login`, app);
  const people = await db()
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(inArray(users.email, [demoEmails.buyer, demoEmails.seller]));
  const idOf = (email: string) => people.find((person) => person.email === email)?.id ?? '';
  const [buyerId, sellerId] = [idOf(demoEmails.buyer), idOf(demoEmails.seller)];
  const { userId: adminId } = await makeUser('Admin');
  for (const [portal, userId] of Object.entries({ user: buyerId, seller: sellerId, admin: adminId }))
    Object.assign(cookies, { [portal]: (await openSession(userId)).cookie() });
  records = await findRecords(db().$client, { buyerId, sellerId });
}, 120_000);

afterAll(async () => {
  await app.stop();
  proxy.close();
});

/** The endpoints of the API that read, without a parameter in their path. */
const endpoints = routes.filter(
  (route) => route.method === 'GET' && isGuarded(route) && /^\/api\/[^[]+$/.test(route.path),
);
const portalOf = (access: unknown): keyof typeof cookies =>
  access === 'seller' ? 'seller' : /^(session|account:)/.test(String(access)) ? 'user' : 'admin';

it('executes at most the reviewed number of statements for each page and endpoint', async () => {
  const pages = portalPages.flatMap(({ path, portal }) => {
    const address = records.get(path) ?? path;
    return address.includes('[') ? [] : [{ name: path, portal, address }];
  });
  const counted: Record<string, number> = existsSync(file)
    ? z.record(z.string(), z.int()).parse(JSON.parse(readFileSync(file, 'utf8')))
    : {};
  for (const { name, portal, address } of [
    ...pages,
    ...endpoints.map(({ path, access }) => ({
      ...{ name: `GET ${path}`, portal: portalOf(access) },
      // Without a limit, a list of thousands of sites is read in parts.
      address: path === '/api/guest-posts' ? `${path}?limit=25` : path,
    })),
  ]) {
    const count = await countStatements(address, cookies[portal], counted[name]);
    // Fewer than reviewed are allowed: delete the file to write it again.
    if (count !== null) counted[name] = Math.max(count, counted[name] ?? 0);
  }
  await expect(`${JSON.stringify(counted, null, 2)}\n`).toMatchFileSnapshot(file);
}, 240_000);

const file = join(import.meta.dirname, 'statements.snapshot.json');

/**
 * Counts the statements of a request once caches are filled; null if it is not answered with 200.
 * @param reviewed ends the attempts, as a higher count proves nothing once one was not
 */
async function countStatements(address: string, cookie: string, reviewed = 0): Promise<number | null> {
  const counts: number[] = [];
  // The probe of the database, and the time of the last activity, which a session records once a minute, are no part of it.
  for (let attempt = 0; attempt < 4 && !counts.some((count) => count <= reviewed); attempt++) {
    proxy.count();
    const { status } = await openClient(cookie, origin).get(address);
    if (status !== 200) return null;
    counts.push(proxy.count().statements);
  }
  return Math.min(...counts);
}
