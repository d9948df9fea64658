import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { z } from 'zod';
import { accountCookie } from '@/lib/access/account-choice';
import type { Lifetime } from '@/scripts/process/lifetime';
import { median } from '@/tests/bench/median';
import { type ScalePeople, type ScaleSize, seedScale } from '@/tests/bench/seed-scale';
import type { BenchServer } from './database';

import { type BenchTarget, createSession, startLinkMarket } from './targets';

/** The agency is a team of 50 members, as its owner. */
export type Person = 'admin' | 'buyer' | 'large buyer' | 'agency' | 'seller' | 'large seller';

/**
 * A page or endpoint as one person requests it. Names in braces are replaced by values of the installation.
 * `maxRatio` is the allowed ratio of the times at the two sizes.
 */
export type MeasuredRequest = { person: Person; path: string; maxRatio: 1.5 | 3 };

/** Lists without a limit, which are streamed: their length grows with the installation. */
export const streamedLists: readonly Omit<MeasuredRequest, 'maxRatio'>[] = [
  { person: 'admin', path: '/api/guest-posts' },
  { person: 'buyer', path: '/api/guest-posts' },
  { person: 'large buyer', path: '/api/orders' },
  { person: 'agency', path: '/api/orders' },
  { person: 'admin', path: '/api/users' },
  { person: 'large seller', path: '/api/seller/sites' },
  { person: 'admin', path: '/api/admin/wallet/transactions?all=1' },
  { person: 'admin', path: '/api/admin/wallet/transactions?all=1&userId={ordinaryBuyerId}' },
  { person: 'admin', path: '/api/admin/wallet/transactions?all=1&q=nosuchword' },
  { person: 'admin', path: '/api/admin/reports/dac7?year=2026&format=csv' },
  { person: 'admin', path: '/api/admin/reports/1099?year=2026&format=csv' },
  { person: 'large buyer', path: '/api/user/documents?month={month}&format=csv' },
  { person: 'large buyer', path: '/user/orders/export' },
  { person: 'large buyer', path: '/user/wallet/export' },
  { person: 'large seller', path: '/seller/earnings/export' },
  { person: 'large seller', path: '/seller/my-sites/export' },
  ...[
    ...['orders/export', 'orders/export?q=nosuchword', 'audit-logs/export', 'guest-posts/export', 'users/export'],
    ...['wallet-manager/export?tab=users', 'wallet-manager/export?tab=transactions', 'disputes/export'],
    ...['link-checks/export', 'money/export', 'payments/settlement/export', 'payouts/export', 'sellers/export'],
    'payouts/statements/export?year=2026',
  ].map((path) => ({ person: 'admin' as const, path: `/dashboard/features/${path}` })),
];

/** The app on a seeded database, with a session for each person and the values of the requests' parameters. */
export type Installation = { app: BenchTarget; cookies: Record<Person, string>; parameters: Record<string, string> };

/** Each request is measured this often, and more often where a millisecond is a large part of its time. */
const rounds = 5;
const shortRounds = 15;
const shortMs = 20;
/** A request that takes longer is measured once. */
const slowMs = 2_000;
const timeoutMs = 300_000;

const peopleSchema = z.object({
  buyerId: z.string(),
  ordinaryBuyerId: z.string(),
  projectId: z.string(),
  agencyId: z.string(),
  agencyOwnerId: z.string(),
  sellerId: z.string(),
  ordinarySellerId: z.string(),
  transferMiddle: z.string(),
  roomId: z.string(),
});

/** Creates and seeds a database, unless a kept folder has it (database.ts). */
export async function addSeededDatabase(server: BenchServer, name: string, size: ScaleSize) {
  const database = await server.addDatabase(name);
  const file = join(server.folder, `${name}.json`);
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(await seedScale(database.adminUrl, size)));
  return { ...database, people: peopleSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) };
}

/** Starts the app on a seeded database. */
export async function startInstallation(
  lifetime: Lifetime,
  database: { adminUrl: string; appUrl: string },
  people: ScalePeople,
  size: ScaleSize,
): Promise<Installation> {
  const app = await startLinkMarket(lifetime, database, 32);
  const port = new URL(app.origin).port;
  const cookieOf = async (user: Parameters<typeof createSession>[1]) =>
    `linkmarket.session.${port}=${await createSession(database.adminUrl, user)}`;
  return {
    app,
    cookies: {
      admin: await cookieOf('Admin'),
      buyer: await cookieOf({ id: people.ordinaryBuyerId }),
      'large buyer': await cookieOf({ id: people.buyerId }),
      agency: `${await cookieOf({ id: people.agencyOwnerId })}; ${accountCookie}=${people.agencyId}`,
      seller: await cookieOf({ id: people.ordinarySellerId }),
      'large seller': await cookieOf({ id: people.sellerId }),
    },
    parameters: {
      ...people,
      orderId: String(Math.round(size.orders / 2)),
      orderMiddle: String(Math.round(size.orders / 2)),
      auditMiddle: String(Math.round(size.auditLines / 2)),
      month: new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 7),
      ...(await findRows(database.adminUrl, people)),
    },
  };
}

const rowsSchema = z.record(z.string(), z.union([z.string(), z.number().transform(String)]));

/** Finds rows of each person, for requests with a parameter in their path. */
async function findRows(adminUrl: string, people: ScalePeople): Promise<Record<string, string>> {
  const { buyerId, agencyId, sellerId, projectId } = people;
  const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  try {
    const orderOf = (account: string) => sql`(
      select max(id) from orders where account_id = ${account} and status = 'Live')`;
    const endpointOf = (owner: string) => sql`(
      select id from webhook_endpoints where owner_id = ${owner} and not is_installation order by id limit 1)`;
    const rows = await sql`
      select ${orderOf(buyerId)} as "buyerOrderId", ${orderOf(agencyId)} as "agencyOrderId",
        (select max(order_id) from placements where seller_id = ${sellerId} and state = 'approved') as "sellerOrderId",
        (select min(id) from sites where owner_id = ${sellerId}) as "siteId",
        (select min(id) from projects where account_id = ${agencyId}) as "agencyProjectId",
        (select min(id) from carts where project_id = ${projectId}) as "cartId",
        (select max(id) from order_requests where account_id = ${agencyId} and state = 'open') as "requestId",
        (select reference from bank_transfer_requests where account_id = ${buyerId} order by id desc limit 1) as reference,
        (select max(id) from link_proofs) as "proofId", (select max(id) from disputes) as "disputeId",
        (select max(batch_id) from payouts) as "batchId", (select max(id) from payouts) as "payoutId",
        (select min(id) from webhook_endpoints where is_installation) as "endpointId",
        ${endpointOf(buyerId)} as "buyerEndpointId", ${endpointOf(sellerId)} as "sellerEndpointId"`;
    return rowsSchema.parse(rows[0]);
  } finally {
    await sql.end();
  }
}

/** Collects the statistics of all tables. */
export async function collectStatistics(adminUrl: string): Promise<void> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  await sql`vacuum analyze`.finally(() => sql.end());
}

/** Turns autovacuum on or off for the server: it would collect the statistics that a measurement goes without. */
export async function setAutovacuum(adminUrl: string, isOn: boolean): Promise<void> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  try {
    await sql.unsafe(isOn ? 'alter system reset autovacuum' : 'alter system set autovacuum = off');
    await sql`select pg_reload_conf()`;
  } finally {
    await sql.end();
  }
}

/**
 * Measures the first request in milliseconds, and once more when it takes longer than the limit, because other programs
 * may have kept the machine busy. @returns null if it does not answer 200
 */
export async function measureFirst(
  target: MeasuredRequest,
  large: Installation,
  limitMs: number,
): Promise<number | null> {
  const first = await timeRequest(target, large);
  if (!first) return null;
  if (first.ms <= limitMs) return first.ms;
  return Math.min(first.ms, (await timeRequest(target, large))?.ms ?? first.ms);
}

export type Measured = {
  small: number;
  large: number;
  /** How many times the large installation's response is as long as the small one's, where a list fills no page. */
  longer: number;
};

/** Measures the median times of a request in milliseconds at both sizes, in turns; null if it does not answer 200. */
export async function measureRequest(
  target: MeasuredRequest,
  small: Installation,
  large: Installation,
): Promise<Measured | null> {
  const times = { small: [] as number[], large: [] as number[] };
  const bytes = { small: 0, large: 0 };
  const isShort = () => Math.max(times.small.at(-1) ?? 0, times.large.at(-1) ?? 0) < shortMs;
  for (let round = 0; round <= rounds || (round <= shortRounds && isShort()); round++) {
    for (const [name, installation] of [
      ['small', small],
      ['large', large],
    ] as const) {
      if ((times[name].at(-1) ?? 0) > slowMs) continue;
      const took = await timeRequest(target, installation);
      if (took === null) return null;
      bytes[name] = took.bytes;
      // The first request compiles and fills caches.
      if (round > 0 || took.ms > slowMs) times[name].push(took.ms);
    }
  }
  return { small: median(times.small), large: median(times.large), longer: Math.max(1, bytes.large / bytes.small) };
}

const pathIn = ({ path }: Pick<MeasuredRequest, 'path'>, { parameters }: Installation) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name];
    if (value === undefined) throw new Error(`${path} names the unknown parameter ${name}.`);
    return value;
  });

async function timeRequest(
  target: MeasuredRequest,
  installation: Installation,
): Promise<{ ms: number; bytes: number } | null> {
  const path = pathIn(target, installation);
  const begin = performance.now();
  const response = await fetch(`${installation.app.origin}${path}`, {
    headers: { cookie: installation.cookies[target.person] },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => null);
  if (!response) return { ms: timeoutMs, bytes: 1 };
  const body = await response.arrayBuffer().catch(() => undefined);
  if (response.status === 200) return { ms: performance.now() - begin, bytes: Math.max(1, body?.byteLength ?? 0) };
  if (response.status >= 500 || response.status === 429) throw new Error(`${path} answers ${response.status}.`);
  return null;
}

export type StreamedList = {
  person: Person;
  path: string;
  firstByteMs: number;
  totalMs: number;
  megabytes: number;
  /** The longest response time of a concurrent request for /api/health/live. */
  longestWaitMs: number;
  /** The growth of the process's resident memory. */
  memoryGrowthMb: number;
};

/** Measures the streamed lists of an installation, one after the other, beside requests for /api/health/live. */
export async function measureStreamedLists(installation: Installation): Promise<StreamedList[]> {
  const results: StreamedList[] = [];
  for (const { person, path } of streamedLists) {
    const before = residentMb(installation.app.pid);
    const watch = watchHealth(installation.app);
    const begin = performance.now();
    const response = await fetch(`${installation.app.origin}${pathIn({ path }, installation)}`, {
      headers: { cookie: installation.cookies[person] },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok || !response.body) throw new Error(`${path} answers ${response.status}.`);
    let firstByteMs = 0;
    let bytes = 0;
    for await (const chunk of response.body) {
      if (bytes === 0) firstByteMs = performance.now() - begin;
      bytes += chunk.length;
    }
    const totalMs = performance.now() - begin;
    const { longestWaitMs, peakMb } = await watch.end();
    results.push({
      person,
      path,
      firstByteMs,
      totalMs,
      megabytes: bytes / 1e6,
      longestWaitMs,
      memoryGrowthMb: Math.max(0, peakMb - before),
    });
  }
  return results;
}

/** Requests /api/health/live every 20 ms, and samples the process's memory. */
function watchHealth(app: BenchTarget) {
  let isEnded = false;
  let longestWaitMs = 0;
  let peakMb = 0;
  const watching = (async () => {
    while (!isEnded) {
      const begin = performance.now();
      await (await fetch(`${app.origin}/api/health/live`)).arrayBuffer();
      longestWaitMs = Math.max(longestWaitMs, performance.now() - begin);
      peakMb = Math.max(peakMb, residentMb(app.pid));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    end: async () => {
      isEnded = true;
      await watching;
      return { longestWaitMs, peakMb };
    },
  };
}

/** Returns the resident memory of a process in megabytes, on Linux. */
export function residentMb(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes ?? 0) / 1_000;
}
