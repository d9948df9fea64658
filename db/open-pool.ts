import { connect, type Socket } from 'node:net';
import postgres from 'postgres';
import { env } from '../lib/env';

/** Longer than any statement of a request takes; what may take longer says so (`letTakeLong`). */
const statementMs = 30_000;
/** No transaction waits for anything but the database: one that stands still belongs to a process that does. */
const idleTransactionMs = 60_000;

export type Pool = {
  sql: postgres.Sql;
  /** Ends it without its server, which may not answer: whoever waits for a statement gets CONNECTION_DESTROYED. */
  cut: () => Promise<void>;
};

type Address = Pick<postgres.ParsedOptions, 'host' | 'port' | 'path'>;

/** Opens a pool at DATABASE_URL. @param max connections at most */
export function openPool(max: number): Pool {
  const { DATABASE_URL, DATABASE_PREPARE } = env();
  const sockets = new Set<Socket>();
  let attempts = 0;
  const options = {
    max,
    prepare: DATABASE_PREPARE === 'on',
    idle_timeout: 60,
    connect_timeout: 10,
    // A transaction pooler refuses to be told; there the role has them (docs/scale.md).
    ...(DATABASE_PREPARE === 'on' && {
      connection: { statement_timeout: statementMs, idle_in_transaction_session_timeout: idleTransactionMs },
    }),
    // The driver's own pause grows to 20 seconds, which is how long people would wait after the database came back.
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 1),
    onnotice: () => undefined,
    // The driver's own way, but with the socket in our hands: it waits for a server to agree before it closes one.
    // Its README has this option, its types do not.
    socket: ({ host, port, path }: Address) => {
      const at = attempts++ % port.length;
      const socket = path ? connect(path) : connect(port[at] ?? 5432, host[at]);
      for (const one of sockets) if (one.destroyed) sockets.delete(one);
      sockets.add(socket);
      // By this name the driver asks for the server's certificate.
      return Object.assign(socket, { host: host[at] });
    },
  };
  const sql = postgres(DATABASE_URL, options);
  return {
    sql,
    cut: async () => {
      await sql.end({ timeout: 0 });
      for (const socket of sockets) socket.destroy();
    },
  };
}
