import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import type postgres from 'postgres';
import { env } from '@/lib/env';
import { splitHosts } from '@/lib/network/database-tls';
import { type Database, db, type Executor } from './client';
import { isDatabaseUnavailable, isRepeatable } from './database-errors';
import { openReadPool } from './open-pool';
import { hasReplayed, hasReplicas, markTimeline, type Seen } from './write-position';

/** What a replica must show. Without any of it, only the primary is read. */
export type Freshness = {
  /** As read with the session or token of the request. */
  seen?: Seen | undefined;
  /** A condition on what the replica itself contains, such as the version of the catalog. */
  proof?: SQL<boolean> | undefined;
};

/** The executor of a read: a transaction of a replica, or the pool of the primary. */
export type Reading = Executor & Pick<Database, '$count'>;

type Replica = {
  url: string;
  /** The address for the log. */
  name: string;
  /** The connections, and how many of them are reading or waiting for an answer. */
  pool: { on: Database; reads: number } | undefined;
  /** Whether its last read or connection failed. */
  isFailing: boolean;
  /** Whether it was reported that it shows another timeline than the primary's, and when it last was. */
  isForeign: boolean;
  foreignAt: number;
  /** Milliseconds of `performance.now()`. A replica that fails is not asked before. */
  askAgainAt: number;
  answeredAt: number;
};

/** The time limit of a replica for the first statement, which tells whether it can be read. */
const checkMs = 1_000;
/** The time limit for a whole read: longer than a statement takes, as a server that hangs does not end it. */
const readMs = 35_000;
/** The interval at which one request asks a replica that failed. */
const retryMs = 5_000;
/** How often a foreign server is reported: the host of a proxy answers for it and for others in turn. */
const foreignMs = 600_000;

// On globalThis for the reasons given in client.ts.
type Held = { linkmarketReplicas?: Replica[]; linkmarketReplicaTurn?: number; linkmarketReplicaReport?: Report };
const holder: typeof globalThis & Held = globalThis;

type Report = (level: 'info' | 'warn', fields: { replica?: string; err?: unknown }, message: string) => void;

/** Sets where it is reported that a replica fails, and that it can be read again. */
export function reportReplicas(report: Report): void {
  holder.linkmarketReplicaReport = report;
}
const report: Report = (...event) => holder.linkmarketReplicaReport?.(...event);

/**
 * Reads from a replica that shows what `freshness` requires, or else from the primary: while DATABASE_READ_URL is not set,
 * always and without any other statement. The replica proves it in the transaction of the read, so that a proxy or pooler
 * may stand before it. Only for reads that decide neither about money nor about access (tests/architecture.test.ts).
 * @param read is called again with the primary if a replica fails, as when a statement conflicts with replication
 */
export async function onReplica<T>(freshness: Freshness, read: (on: Reading) => Promise<T>): Promise<T> {
  const question = buildQuestion(freshness);
  for (const replica of question ? takeReplicas() : []) {
    const found = await readOn(replica, question ?? sql`select false as fresh`, read);
    if (found === 'primary') break;
    if (found !== 'next') return found.value;
  }
  return read(db());
}

/**
 * Opens a connection to a replica that shows what `freshness` requires, for a transaction with one snapshot. It is closed
 * by the caller.
 * @returns null if no replica does
 */
export async function connectToReplica(freshness: Freshness): Promise<postgres.Sql | null> {
  const question = buildQuestion(freshness);
  for (const replica of question ? takeReplicas() : []) {
    const client = openReadPool(replica.url, 1);
    const late = startTimer(replica, checkMs);
    try {
      // Before the transaction: in one with a snapshot, the replica may have replayed more than the snapshot shows.
      const asked = drizzle(client).execute(question ?? sql`select false as fresh`);
      if (noteAnswer(replica, await Promise.race([asked, late.expired]))) return client;
    } catch (thrown) {
      noteFailure(replica, thrown);
    } finally {
      late.stop();
    }
    await client.end({ timeout: 0 });
  }
  return null;
}

/** Closes the connections to the replicas, for tests and at the shutdown. */
export async function closeReplicas(): Promise<void> {
  const open = holder.linkmarketReplicas ?? [];
  delete holder.linkmarketReplicas;
  await Promise.all(open.map(({ pool }) => pool?.on.$client.end({ timeout: 5 })));
}

/** Builds the first statement, which asks a replica whether it shows what a read requires; undefined for none to be asked. */
function buildQuestion({ seen, proof }: Freshness): SQL | undefined {
  if (!hasReplicas()) return undefined;
  if (seen?.mark === '') {
    markTimeline().catch((err: unknown) => report('warn', { err }, 'The timeline of the primary was not marked.'));
    return undefined;
  }
  if (!seen) return proof && sql`select ${proof} as fresh`;
  // Without `offset 0`, PostgreSQL evaluates the condition once for each column.
  return sql`select replayed and ${proof ?? sql`true`} as fresh, replayed is null as "isForeign"
    from (select ${hasReplayed(seen)} as replayed offset 0) as server`;
}

/** Generates the replicas to ask, each time beginning with another one. */
function* takeReplicas(): Generator<Replica> {
  const { DATABASE_READ_URL = '' } = env();
  holder.linkmarketReplicas ??= splitHosts(DATABASE_READ_URL).map(({ url, name }) => ({
    ...{ url, name, pool: undefined },
    ...{ isFailing: false, isForeign: false, askAgainAt: 0 },
    ...{ answeredAt: Number.NEGATIVE_INFINITY, foreignAt: Number.NEGATIVE_INFINITY },
  }));
  const all = holder.linkmarketReplicas;
  const turn = (holder.linkmarketReplicaTurn ?? 0) % all.length;
  holder.linkmarketReplicaTurn = turn + 1;
  for (const replica of [...all.slice(turn), ...all.slice(0, turn)]) {
    const now = performance.now();
    if (replica.isFailing && now < replica.askAgainAt) continue;
    replica.askAgainAt = now + retryMs;
    yield replica;
  }
}

/** @returns the value; 'next' when this replica cannot be read; 'primary' when it failed during the read */
async function readOn<T>(
  replica: Replica,
  question: SQL,
  read: (on: Reading) => Promise<T>,
): Promise<{ value: T } | 'next' | 'primary'> {
  const max = env().DATABASE_POOL_MAX;
  replica.pool ??= { on: drizzle(openReadPool(replica.url, max), { casing: 'snake_case' }), reads: 0 };
  const { pool } = replica;
  // Waiting for a connection would look as if the server hung.
  if (pool.reads >= max) return 'next';
  pool.reads += 1;
  const late = startTimer(replica, checkMs);
  let [isFresh, isOver] = [false, false];
  const reading = pool.on
    .transaction(
      async (tx) => {
        const isCurrent = noteAnswer(replica, await tx.execute(question));
        if (isOver || !isCurrent) return 'next';
        isFresh = true;
        late.restart(readMs);
        return { value: await read(tx) };
      },
      { accessMode: 'read only', isolationLevel: 'read committed' },
    )
    .finally(() => {
      pool.reads -= 1;
    });
  try {
    return await Promise.race([reading, late.expired]);
  } catch (thrown) {
    if (!isFresh || isDatabaseUnavailable(thrown) || thrown === late.error) noteFailure(replica, thrown);
    if (!isFresh) return 'next';
    if (!isRepeatable(thrown)) throw thrown;
    report('info', { replica: replica.name, err: thrown }, 'A read failed on a replica and is made on the primary.');
    return 'primary';
  } finally {
    isOver = true;
    late.stop();
  }
}

/** Starts the time limit of an answer. `expired` rejects with `error`. */
function startTimer({ name }: Replica, ms: number) {
  let expire: (reason: Error) => void = () => undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    expire = reject;
  });
  const error = Object.assign(new Error(`The replica ${name} does not answer.`), { code: 'REPLICA_TIMEOUT' });
  let timer = setTimeout(expire, ms, error);
  const stop = () => clearTimeout(timer);
  const restart = (next: number) => {
    stop();
    timer = setTimeout(expire, next, error);
  };
  return { expired, error, restart, stop };
}

const foreign =
  'A server is no replica of the primary, or has not replayed its last failover, and is not read. If that lasts, remove ' +
  'it from DATABASE_READ_URL, or create it again from the primary.';

/** Notes the answer to the first statement. @returns whether the replica shows what the read requires */
function noteAnswer(replica: Replica, [row]: readonly Record<string, unknown>[]): boolean {
  const { name } = replica;
  const now = performance.now();
  // A read without a session or token does not ask whether it is foreign.
  if (row?.isForeign === true && !replica.isForeign && now - replica.foreignAt > foreignMs) {
    report('warn', { replica: name }, foreign);
    Object.assign(replica, { isForeign: true, foreignAt: now });
  }
  const isOurs = row?.isForeign === false && replica.isForeign;
  if (replica.isFailing || isOurs) report('info', { replica: name }, 'The replica can be read again.');
  if (isOurs) replica.isForeign = false;
  Object.assign(replica, { isFailing: false, answeredAt: now });
  return row?.fresh === true;
}

/** Leaves a replica out for a while, and closes its connections: of a server that hangs they would wait. */
function noteFailure(replica: Replica, thrown: unknown): void {
  // It answers others, so it does not hang: it is slow, or a pooler before it has no connection left.
  if (performance.now() - replica.answeredAt < checkMs && !isDatabaseUnavailable(thrown)) return;
  if (!replica.isFailing)
    report('warn', { replica: replica.name, err: thrown }, 'A replica cannot be read: others, or the primary, are.');
  replica.isFailing = true;
  replica.askAgainAt = performance.now() + retryMs;
  void replica.pool?.on.$client.end({ timeout: 0 });
  replica.pool = undefined;
}
