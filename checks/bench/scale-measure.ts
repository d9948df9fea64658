import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Lifetime } from '@/scripts/process/lifetime';
import { median } from '@/tests/bench/median';
import { type ScalePeople, type ScaleSize, seedScale } from '@/tests/bench/seed-scale';
import type { BenchServer } from './database';

import { type BenchTarget, createSession, startLinkMarket } from './targets';

export type Person = 'admin' | 'buyer' | 'large buyer' | 'seller' | 'large seller';

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
  { person: 'admin', path: '/api/users' },
  { person: 'large seller', path: '/api/seller/sites' },
  { person: 'admin', path: '/api/admin/wallet/transactions?all=1' },
  { person: 'admin', path: '/api/admin/wallet/transactions?all=1&userId={ordinaryBuyerId}' },
  { person: 'admin', path: '/api/admin/wallet/transactions?all=1&q=nosuchword' },
  { person: 'large seller', path: '/seller/earnings/export' },
  { person: 'admin', path: '/dashboard/features/orders/export' },
  { person: 'admin', path: '/dashboard/features/orders/export?q=nosuchword' },
  { person: 'admin', path: '/dashboard/features/audit-logs/export' },
  { person: 'admin', path: '/dashboard/features/guest-posts/export' },
];

/** The app on a seeded database, with a session for each person and the values of the requests' parameters. */
export type Installation = { app: BenchTarget; cookies: Record<Person, string>; parameters: Record<string, string> };

const rounds = 5;
/** A request that takes longer is measured once. */
const slowMs = 2_000;
const timeoutMs = 300_000;

const peopleSchema = z.object({
  buyerId: z.string(),
  ordinaryBuyerId: z.string(),
  projectId: z.string(),
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
      seller: await cookieOf({ id: people.ordinarySellerId }),
      'large seller': await cookieOf({ id: people.sellerId }),
    },
    parameters: {
      ...people,
      orderId: String(Math.round(size.orders / 2)),
      orderMiddle: String(Math.round(size.orders / 2)),
      auditMiddle: String(Math.round(size.auditLines / 2)),
    },
  };
}

/** Measures the median times of a request in milliseconds at both sizes, in turns; null if it does not answer 200. */
export async function measureRequest(
  target: MeasuredRequest,
  small: Installation,
  large: Installation,
): Promise<{ small: number; large: number } | null> {
  const times = { small: [] as number[], large: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    for (const [name, installation] of [
      ['small', small],
      ['large', large],
    ] as const) {
      if ((times[name].at(-1) ?? 0) > slowMs) continue;
      const took = await timeRequest(target, installation);
      if (took === null) return null;
      // The first request compiles and fills caches.
      if (round > 0 || took > slowMs) times[name].push(took);
    }
  }
  return { small: median(times.small), large: median(times.large) };
}

const pathIn = ({ path }: Pick<MeasuredRequest, 'path'>, { parameters }: Installation) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '');

async function timeRequest(target: MeasuredRequest, installation: Installation): Promise<number | null> {
  const path = pathIn(target, installation);
  const begin = performance.now();
  const response = await fetch(`${installation.app.origin}${path}`, {
    headers: { cookie: installation.cookies[target.person] },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => null);
  if (!response) return timeoutMs;
  await response.arrayBuffer().catch(() => undefined);
  if (response.status === 200) return performance.now() - begin;
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
