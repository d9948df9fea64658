import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { median } from '../../tests/bench/median';
import { largeSize, type ScalePeople, type ScaleSize, seedScale, smallSize } from '../../tests/bench/seed-scale';
import type { Lifetime } from '../process/lifetime';
import { projectRoot } from '../process/root';
import { startBenchServer } from './database';
import { table, writeReport } from './report';
import { type BenchTarget, buildTargets, createSession, startLinkMarket } from './targets';

const rounds = 5;
/** The default number of rows of a page. */
const pageRows = 25;
/** A request that takes longer is reported as such and measured once. */
const slowMs = 2_000;

const people = ['admin', 'buyer', 'large buyer', 'seller', 'large seller'] as const;
type Person = (typeof people)[number];

/** An installation of one size, with a session for each person. */
type Installation = { app: BenchTarget; cookies: Record<Person, string>; parameters: Record<string, string> };

/** A page or endpoint as one person requests it. */
type Target = { person: Person; path: string; bar: 1.5 | 3 };

/** Filters, searches and far pages of lists, beside each page and endpoint without parameters. */
const lists: readonly Target[] = [
  ...screen('admin', '/dashboard/features/orders', {
    normal: ['status=Pending', 'status=Refunded', 'userId={buyerId}', 'userId={ordinaryBuyerId}', 'order={orderId}'],
    far: [
      'q=garden',
      'q=nosuchword',
      'q=person7%20',
      'q=%23{orderId}',
      'rows=25&page={ordersMiddle}',
      'rows=25&page={ordersLast}',
    ],
  }),
  ...screen('admin', '/dashboard/features/wallet-manager?tab=transactions', {
    normal: ['userId={ordinaryBuyerId}'],
    far: ['q=order', 'q=nosuchword', 'rows=25&page={transactionsMiddle}', 'rows=25&page={transactionsLast}'],
  }),
  ...screen('admin', '/dashboard/features/wallet-manager?tab=users', {
    normal: ['sort=balance&order=desc'],
    far: ['q=Stone', 'rows=25&page={usersLast}'],
  }),
  ...screen('admin', '/dashboard/features/wallet-manager?tab=review', { normal: [], far: [] }),
  ...screen('admin', '/dashboard/features/wallet-manager?tab=books', { normal: [], far: [] }),
  ...screen('admin', '/dashboard/features/audit-logs', {
    normal: ['action=order.created', 'entity=site', 'user={buyerId}', 'source=web', 'from=2026-01-01&to=2026-01-31'],
    far: ['q=order', 'q=nosuchword', 'rows=25&page={auditMiddle}', 'rows=25&page={auditLast}'],
  }),
  ...screen('admin', '/dashboard/features/users', {
    normal: ['sort=seen&order=desc', 'sort=joined&order=desc', 'sort=role', 'role=Seller', 'status=Suspended'],
    far: ['q=Stone', 'q=nosuchword', 'rows=25&page={usersMiddle}', 'rows=25&page={usersLast}'],
  }),
  ...screen('admin', '/dashboard/features/guest-posts', {
    normal: ['status=Pending', 'country=Denmark', 'sort=name', 'sort=price&order=desc', 'userId={sellerId}'],
    far: ['q=garden', 'q=nosuchword', 'rows=25&page={sitesMiddle}', 'rows=25&page={sitesLast}'],
  }),
  ...screen('large buyer', '/user/orders', {
    normal: ['status=Live', 'project={projectId}'],
    far: ['q=garden', 'rows=25&page={ownOrdersMiddle}', 'rows=25&page={ownOrdersLast}'],
  }),
  ...screen('large buyer', '/user/wallet', {
    normal: [],
    far: ['q=order', 'rows=25&page={ownTransactionsMiddle}', 'rows=25&page={ownTransactionsLast}'],
  }),
  ...screen('large seller', '/seller/my-sites', {
    normal: ['status=Pending', 'sort=name'],
    far: ['q=garden', 'rows=25&page={ownSitesMiddle}', 'rows=25&page={ownSitesLast}'],
  }),
  ...screen('admin', '/api/admin/orders?limit=25', { normal: ['status=Pending'], far: ['q=garden', 'offset=9000'] }),
  ...screen('admin', '/api/admin/wallet/transactions?limit=25', {
    normal: ['userId={ordinaryBuyerId}', 'userId={buyerId}'],
    far: ['q=nosuchword', 'offset=9000'],
  }),
  ...screen('large buyer', '/api/wallet/transactions?limit=5', { normal: [], far: ['offset=9000'] }),
  ...screen('large seller', '/api/seller/sites?limit=25', { normal: [], far: [] }),
];

function screen(person: Person, path: string, { normal, far }: { normal: string[]; far: string[] }): Target[] {
  const to = (parameters: string, bar: Target['bar']): Target => ({
    person,
    path: parameters === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${parameters}`,
    bar,
  });
  return [to('', 1.5), ...normal.map((one) => to(one, 1.5)), ...far.map((one) => to(one, 3))];
}

/**
 * Measures every page and GET endpoint in an installation with a million orders and in one with a thousand, and writes
 * the ratios to docs/scale.md.
 */
export async function scale(lifetime: Lifetime): Promise<void> {
  const server = await startBenchServer(lifetime);
  await buildTargets(lifetime);
  const small = await install(lifetime, await server.addDatabase('small'), smallSize);
  const large = await install(lifetime, await server.addDatabase('large'), largeSize);
  const targets = [...lists, ...(await listTargets(small))];
  const seen = new Set<string>();
  const rows: { cells: string[]; ratio: number }[] = [];
  for (const target of targets) {
    const name = `${target.person} ${target.path}`;
    if (seen.has(name)) continue;
    seen.add(name);
    const measured = await measure(target, small, large);
    if (!measured) continue;
    const ratio = measured.large / measured.small;
    const cells = [
      target.person,
      `\`${target.path}\``,
      measured.small.toFixed(0),
      measured.large.toFixed(0),
      `${ratio > target.bar ? '**' : ''}${ratio.toFixed(2)}${ratio > target.bar ? '**' : ''}`,
      target.bar.toFixed(1),
    ];
    process.stdout.write(`${cells.join('  ')}\n`);
    rows.push({ cells, ratio });
  }
  rows.sort((one, other) => other.ratio - one.ratio);
  const head = ['person', 'request', 'small, ms', 'large, ms', 'times longer', 'bar'];
  const size = Object.entries(largeSize).map(([name, count]) => `${count.toLocaleString('en-US')} ${name}`);
  writeReport(
    'scale',
    `${size.join(', ')}, beside a thousandth of it. Median of ${rounds} requests in turns.\n\n${table(
      head,
      rows.map(({ cells }) => cells),
    )}`,
    'scale.md',
  );
}

async function install(
  lifetime: Lifetime,
  database: { adminUrl: string; appUrl: string },
  size: ScaleSize,
): Promise<Installation> {
  const begin = performance.now();
  const seeded = await seedScale(database.adminUrl, size);
  process.stdout.write(`Seeded ${size.orders} orders in ${((performance.now() - begin) / 1_000).toFixed(0)} s.\n`);
  const app = await startLinkMarket(lifetime, database, 32);
  const port = new URL(app.origin).port;
  const cookieOf = async (user: Parameters<typeof createSession>[1]) =>
    `linkmarket.session.${port}=${await createSession(database.adminUrl, user)}`;
  const cookies = {
    admin: await cookieOf('Admin'),
    buyer: await cookieOf({ id: seeded.ordinaryBuyerId }),
    'large buyer': await cookieOf({ id: seeded.buyerId }),
    seller: await cookieOf({ id: seeded.ordinarySellerId }),
    'large seller': await cookieOf({ id: seeded.sellerId }),
  };
  return { app, cookies, parameters: parametersOf(seeded, size) };
}

/** Values of the parameters in the paths: ids, and the numbers of the middle and the last page of each list. */
function parametersOf(seeded: ScalePeople, size: ScaleSize): Record<string, string> {
  const rowsOf = {
    orders: size.orders,
    transactions: size.orders * 3,
    users: size.users,
    audit: size.auditLines,
    sites: size.sites,
    ownOrders: size.largestBuyer,
    ownTransactions: size.largestBuyer * 3,
    ownSites: size.largestSeller,
  };
  const pages = Object.entries(rowsOf).flatMap(([name, rows]) => [
    [`${name}Middle`, String(Math.ceil(rows / 2 / pageRows))],
    [`${name}Last`, String(Math.ceil(rows / pageRows))],
  ]);
  return { ...seeded, orderId: String(Math.round(size.orders / 2)), ...Object.fromEntries(pages) };
}

const document = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

/** Every page, and every GET endpoint of the OpenAPI document that has no parameter in its path. */
async function listTargets({ app, cookies }: Installation): Promise<Target[]> {
  const pages = readdirSync(join(projectRoot, 'app'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('/page.tsx') && !file.includes('['))
    .map((file) => `/${file}`.replace(/\/\([^/]+\)/g, '').replace(/\/page\.tsx$/, ''));
  const response = await fetch(`${app.origin}/api/openapi.json`, { headers: { cookie: cookies.admin } });
  const { paths } = document.parse(await response.json());
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    'get' in methods && !path.includes('{') ? [path] : [],
  );
  return [...pages, ...endpoints]
    .sort()
    .flatMap((path) => peopleOf(path).map((person) => ({ person, path, bar: 1.5 as const })));
}

/** The people who open a path: staff for the console, both sizes of buyers and sellers for theirs. */
function peopleOf(path: string): Person[] {
  if (path.startsWith('/dashboard') || /^\/api\/(admin|acl|users|roles|audit|licenses)/.test(path)) return ['admin'];
  if (path.startsWith('/seller') || path.startsWith('/api/seller')) return ['seller', 'large seller'];
  if (path.startsWith('/user') || path.startsWith('/api')) return ['buyer', 'large buyer'];
  return [];
}

/** The times in milliseconds, in turns; null for a path that does not answer 200. */
async function measure(
  target: Target,
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
      const took = await request(target, installation);
      if (took === null) return null;
      // The first request compiles and fills caches.
      if (round > 0 || took > slowMs) times[name].push(took);
    }
  }
  return { small: median(times.small), large: median(times.large) };
}

async function request(target: Target, { app, cookies, parameters }: Installation): Promise<number | null> {
  const path = target.path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '');
  const begin = performance.now();
  const response = await fetch(`${app.origin}${path}`, {
    headers: { cookie: cookies[target.person] },
    redirect: 'manual',
    signal: AbortSignal.timeout(120_000),
  }).catch(() => null);
  if (!response) return 120_000;
  await response.arrayBuffer().catch(() => undefined);
  if (response.status === 200) return performance.now() - begin;
  if (response.status >= 500 || response.status === 429) throw new Error(`${path} answers ${response.status}.`);
  return null;
}
