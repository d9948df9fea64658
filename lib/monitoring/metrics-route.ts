import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { Gauge, Registry } from 'prom-client';
import { z } from 'zod';
import { db } from '@/db/client';
import { getLastChainProof } from '@/lib/audit/prove-chain';
import { bearerToken } from '@/lib/auth/current-actor';
import { route } from '@/lib/auth/route';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { getLastSignedProofs } from '@/lib/ledger/prove-books';
import { log } from '@/lib/platform/log/log';
import { formatClusterMetrics } from '@/lib/platform/metrics/cluster-metrics';
import { isEqualConstantTime } from '@/lib/platform/secrets';
import { getFailures, getQueues } from './read-queues';

/** How long the figures are used again: several scrapers together cost as much as one. */
const cacheMs = 10_000;
/** Prometheus waits ten seconds by default. */
const deadlineMs = 4_000;
const statementSeconds = 3;

type Figures = Awaited<ReturnType<typeof readFigures>>;

let last: { at: number; figures: Figures } | undefined;
let pending: Promise<Figures> | undefined;

/**
 * Returns the metrics of the installation, which are the same in every process, in Prometheus's text format. If the
 * database does not answer in four seconds, they are `linkmarket_database_up 0` alone. Concurrent scrapes share the
 * queries, and a scrape that gave up leaves them to the next one.
 */
async function formatInstallationMetrics(): Promise<string> {
  return format(await findFigures()).metrics();
}

async function findFigures(): Promise<Figures | null> {
  if (last && performance.now() - last.at < cacheMs) return last.figures;
  pending ??= readFigures()
    .then((figures) => {
      last = { at: performance.now(), figures };
      return figures;
    })
    .finally(() => {
      pending = undefined;
    });
  const controller = new AbortController();
  const late = sleep(deadlineMs, null, { ref: false, signal: controller.signal }).catch(() => null);
  try {
    const figures = await Promise.race([pending, late]);
    if (figures === null) log().warn('Metrics: the database did not answer in time.');
    return figures;
  } catch (thrown) {
    log().error({ err: thrown }, 'Metrics: the database could not be read.');
    return null;
  } finally {
    controller.abort();
  }
}

async function readFigures() {
  const startedAt = performance.now();
  const { waitSeconds, connections, queues, failures } = await db().transaction(
    async (tx) => {
      await tx.execute(sql`select set_config('statement_timeout', ${`${statementSeconds}s`}, true)`);
      return {
        waitSeconds: (performance.now() - startedAt) / 1_000,
        connections: await readConnections(tx),
        queues: await getQueues(tx),
        failures: await getFailures(tx),
      };
    },
    { accessMode: 'read only' },
  );
  const books = await getLastSignedProofs();
  const chain = await getLastChainProof();
  return {
    ...{ waitSeconds, connections, queues, failures },
    proofs: [
      toProof('books', books.latest?.ranAt, books.whole?.isSound ? books.whole.ranAt : null, books.latest?.isSound),
      toProof('audit_log', chain?.ranAt, chain?.wholeAt, chain?.isSound),
    ],
  };
}

type Moment = Date | string | null | undefined;
const toSeconds = (moment: Moment): number | null => (moment ? new Date(moment).getTime() / 1_000 : null);

const toProof = (proof: string, ranAt: Moment, wholeAt: Moment, isSound: boolean | undefined) => ({
  ...{ proof, isSound },
  ranAt: toSeconds(ranAt),
  wholeAt: toSeconds(wholeAt),
});

const connectionRow = z.object({ state: z.string(), count: z.number(), max: z.number() });

/** Reads PostgreSQL's own view: the driver does not expose the state of its pool. */
async function readConnections(tx: Pick<ReturnType<typeof db>, 'execute'>) {
  const rows = await tx.execute(sql`
    select coalesce(state, 'unknown') as state, count(*)::int as count,
      current_setting('max_connections')::int as max
    from pg_stat_activity
    where datname = current_database() and usename = current_user and backend_type = 'client backend'
    group by 1`);
  return z.array(connectionRow).parse([...rows]);
}

function format(figures: Figures | null): Registry {
  const registry = new Registry();
  /** A figure that is null has no series. */
  const gauge = (name: string, help: string, label: string, values: [value: string, figure: number | null][]) => {
    const created = new Gauge({ name: `linkmarket_${name}`, help, labelNames: [label], registers: [registry] });
    for (const [value, figure] of values) if (figure !== null) created.set({ [label]: value }, figure);
  };
  const single = (name: string, help: string, value: number) =>
    new Gauge({ name: `linkmarket_${name}`, help, registers: [registry] }).set(value);

  single(
    'database_up',
    'Whether the database answered this process in time. At 0, the metrics of the installation are missing.',
    figures === null ? 0 : 1,
  );
  single('database_pool_max', 'The size of this process’s pool (DATABASE_POOL_MAX).', env().DATABASE_POOL_MAX);
  if (figures === null) return registry;

  const { waitSeconds, connections, queues, failures, proofs } = figures;
  single(
    'database_wait_seconds',
    'How long the last scrape of this process waited for a connection of the pool and two short statements.',
    waitSeconds,
  );
  gauge(
    'database_connections',
    'Connections of the app’s role to its database by state, over all processes, as pg_stat_activity shows them.',
    'state',
    connections.map(({ state, count }) => [state, count]),
  );
  single('database_connections_max', 'max_connections of PostgreSQL.', connections[0]?.max ?? 0);
  const capText = 'Counted up to 10,001, which means more than 10,000.';
  gauge(
    'queue_items',
    `Items of a queue that are not finished. ${capText}`,
    'queue',
    queues.map(({ queue, items }) => [queue, items]),
  );
  gauge(
    'queue_oldest_seconds',
    'Age of the oldest item that is not finished, among the 10,001 items that are due first. 0 without items.',
    'queue',
    queues.map(({ queue, oldestSeconds }) => [queue, oldestSeconds]),
  );
  gauge(
    'queue_due_items',
    `Items of a queue whose time has come. ${capText}`,
    'queue',
    queues.map(({ queue, due }) => [queue, due]),
  );
  gauge(
    'queue_overdue_seconds',
    'For how long the first due item has been due. 0 without due items.',
    'queue',
    queues.map(({ queue, overdueSeconds }) => [queue, overdueSeconds]),
  );
  gauge(
    'queue_failed_items',
    `Items that were given up: mails and e-invoices of the last 24 hours, and provider events that staff have not settled. ${capText}`,
    'queue',
    failures.map(({ queue, failed }) => [queue, failed]),
  );
  gauge(
    'proof_sound',
    'Whether the latest signed proof found no error. Missing before the first proof.',
    'proof',
    proofs.map(({ proof, isSound }) => [proof, isSound === undefined ? null : Number(isSound)]),
  );
  gauge(
    'proof_timestamp_seconds',
    'When the latest signed proof ran, in Unix time. 0 before the first proof.',
    'proof',
    proofs.map(({ proof, ranAt }) => [proof, ranAt ?? 0]),
  );
  gauge(
    'proof_whole_timestamp_seconds',
    'When the latest proof of everything ran without an error, in Unix time. 0 before the first.',
    'proof',
    proofs.map(({ proof, wholeAt }) => [proof, wholeAt ?? 0]),
  );
  return registry;
}

/** The version of the text format that every Prometheus since 2014 reads. */
const mediaType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Serves /api/metrics for Prometheus. Each of METRICS_ADDRESSES and METRICS_TOKEN that is set must be met. Without
 * either, and for a caller from another address, it does not exist.
 */
export const createMetricsRoute = () =>
  route(
    {
      access: 'public',
      summary: 'Returns the metrics of the processes and the installation for Prometheus.',
      response: { mediaTypes: ['text/plain'] },
      errors: ['unauthenticated', 'not_found'],
      proof: 'metrics token',
    },
    async ({ request, ip }) => {
      const { METRICS_TOKEN, METRICS_ADDRESSES } = env();
      const isAdmitted = METRICS_ADDRESSES?.has(ip) ?? METRICS_TOKEN !== undefined;
      if (!isAdmitted) throw new AppError('not_found', 'No endpoint exists at this path.');
      if (METRICS_TOKEN !== undefined) {
        const input = bearerToken(request.headers.get('authorization')) ?? '';
        if (!isEqualConstantTime(input, METRICS_TOKEN)) {
          throw new AppError('unauthenticated', 'The metrics token is missing or incorrect.');
        }
      }
      const [processes, installation] = await Promise.all([formatClusterMetrics(), formatInstallationMetrics()]);
      return new Response(`${processes}\n${installation}`, { headers: { 'Content-Type': mediaType } });
    },
  );
