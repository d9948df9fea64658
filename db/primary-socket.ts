import { once } from 'node:events';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';

/** A server: a name or address with its port, or the folder of a Unix socket. */
export type DatabaseHost = { host: string; port: number };

/** The driver's `socket` option, which its types lack. */
type OpenSocket = () => Promise<Socket>;
type OpenProbe = (socket: OpenSocket, connectSeconds: number) => postgres.Sql;

/** The time limit of a probe, shorter than that of the watch, which uses probes too (watch-database.ts). */
const probeSeconds = 5;
/** How long the other servers may still answer after one accepted writes. */
const graceMs = 100;

/** SQLSTATE read_only_sql_transaction. */
const readOnly = '25006';

/**
 * Returns the driver's `socket` option, which connects to the server that accepts writes. The driver's own list of hosts
 * is not used: it waits for each unreachable server in turn, and never fails while no server accepts writes.
 * All servers are asked at the same time for each new connection, so a server that is frozen or was taken off the
 * network delays nothing. Calls that arrive during a search share its result.
 * @param openProbe opens a connection of the driver over the given socket
 */
export function createPrimarySocket(hosts: DatabaseHost[], openProbe: OpenProbe): OpenSocket {
  let search: Promise<DatabaseHost> | undefined;
  let timeline = '';
  const find = () => {
    search ??= findPrimary(hosts, openProbe, timeline)
      .then((found) => {
        timeline = found.timeline;
        return found.host;
      })
      .finally(() => {
        search = undefined;
      });
    return search;
  };
  return () => openSocket(find);
}

/**
 * Asks every server whether it can be used, also those that accept no writes.
 * @returns the errors of the others by server, e.g. a wrong password, which would be noticed after a failover only
 */
export async function listHostErrors(hosts: DatabaseHost[], openProbe: OpenProbe): Promise<Error[]> {
  const findings = await Promise.all(hosts.map((host) => probeHost(host, openProbe)));
  return findings.flatMap(({ host, error }) =>
    error && codeOf(error) !== readOnly
      ? withCode(`${nameOf(host)} cannot be used: ${error.message}`, codeOf(error))
      : [],
  );
}

/**
 * Connects to a server. Never rejects, because the driver would not reuse the connection: a socket that reports the
 * error is returned in place of one that cannot be connected.
 */
async function openSocket(find: () => Promise<DatabaseHost>): Promise<Socket> {
  try {
    return await connectTo(await find());
  } catch (thrown) {
    const failed = new Socket();
    setImmediate(() => failed.destroy(thrown instanceof Error ? thrown : new Error(String(thrown))));
    return failed;
  }
}

async function connectTo({ host, port }: DatabaseHost): Promise<Socket> {
  const socket = new Socket();
  if (host.startsWith('/')) socket.connect(`${host}/.s.PGSQL.${port}`);
  else socket.connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(probeSeconds * 1000) });
  } catch (thrown) {
    socket.destroy();
    throw thrown instanceof Error && thrown.name === 'AbortError' ? createTimeout({ host, port }) : thrown;
  }
  // The driver verifies the certificate for this name.
  return Object.assign(socket, { host, port });
}

/** `timeline`: of the write-ahead log, as eight hexadecimal digits; only of a server that accepts writes. */
type Finding = { host: DatabaseHost; timeline?: string; error?: Error };

/**
 * Finds the server that accepts writes. After a failover the old primary may accept them for a moment, when it was
 * frozen or cut off: of two, the one that was promoted last is taken (its write-ahead log has the higher timeline).
 * @param least the timeline of the last primary: a server on an earlier one was replaced
 * @throws Error when no server accepts writes, with the code of one of them and the message of each. A timeout comes
 *   first, so that the watch of the database recognizes that the primary hangs. The misconfiguration of one server comes
 *   after the outage of another, so that requests are answered with 503.
 */
async function findPrimary(
  hosts: DatabaseHost[],
  openProbe: OpenProbe,
  least: string,
): Promise<{ host: DatabaseHost; timeline: string }> {
  const findings: Finding[] = [];
  const probes = hosts.map(async (host) => {
    const found = await probeHost(host, openProbe);
    const isReplaced = found.timeline !== undefined && found.timeline < least;
    const finding = isReplaced ? { host, error: withCode(`${nameOf(host)} was replaced`, readOnly) } : found;
    findings.push(finding);
    if (finding.timeline === undefined) throw finding.error;
  });
  const all = Promise.allSettled(probes);
  await Promise.any(probes).catch(() => undefined);
  await Promise.race([all, sleep(graceMs)]);
  const [newest] = findings
    .flatMap(({ host, timeline }) => (timeline === undefined ? [] : { host, timeline }))
    .sort((one, other) => (one.timeline < other.timeline ? 1 : -1));
  if (newest) return newest;
  const errors = findings.flatMap(({ error }) => error ?? []);
  const [first] = errors.toSorted((one, other) => rankOf(one) - rankOf(other));
  const message = errors.map((error) => error.message).join(' ');
  throw first && errors.length > 1 ? withCode(message, codeOf(first)) : first;
}

async function probeHost(host: DatabaseHost, openProbe: OpenProbe): Promise<Finding> {
  const probe = openProbe(() => openSocket(async () => host), probeSeconds);
  const late = sleep(probeSeconds * 1000, undefined, { ref: false }).then(() => {
    throw createTimeout(host);
  });
  const answer = probe<{ position: string | null }[]>`
    select case when current_setting('transaction_read_only') = 'off'
      then pg_walfile_name(pg_current_wal_lsn()) end as position`;
  try {
    const [row] = await Promise.race([answer, late]);
    // The name of a segment begins with the timeline.
    if (row?.position) return { host, timeline: row.position.slice(0, 8) };
    return { host, error: withCode(`${nameOf(host)} accepts no writes`, readOnly) };
  } catch (thrown) {
    return { host, error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  } finally {
    late.catch(() => undefined);
    void probe.end({ timeout: 0 });
  }
}

/** Servers that hang, then standbys, then servers that cannot be reached, then wrong passwords and certificates. */
function rankOf(error: Error): number {
  const code = codeOf(error);
  if (code === 'CONNECT_TIMEOUT') return 0;
  if (code === readOnly) return 1;
  return /^(E[A-Z_]+|CONNECTION_\w+|53300|57P0\d)$/.test(code) && !/^ERR_/.test(code) ? 2 : 3;
}

const codeOf = (error: Error) => ('code' in error ? String(error.code) : '');

const createTimeout = (host: DatabaseHost) => withCode(`${nameOf(host)} does not answer`, 'CONNECT_TIMEOUT');

const nameOf = ({ host, port }: DatabaseHost) => `The PostgreSQL server at ${host}:${port}`;

const withCode = (message: string, code: string) =>
  Object.assign(new Error(`${message.replace(/\.$/, '')}.`), { code });
