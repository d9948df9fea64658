import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * A proxy between the app and PostgreSQL that counts the statements that the app executes, and how often it waits for an
 * answer: what a client sends is a sequence of messages, of which Execute ('E') and Query ('Q') run a statement, and
 * Flush ('H'), Sync ('S') and Query ask for an answer.
 * @returns the database URL through it, and `count`, which begins anew at each call
 */
export async function openCountingProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let counted = { statements: 0, roundTrips: 0 };
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const read = createReader((type) => {
      if (type === 'E' || type === 'Q') counted.statements += 1;
      if (type === 'H' || type === 'S' || type === 'Q') counted.roundTrips += 1;
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      // Either side may close first; the other is then closed too.
      socket.on('error', () => undefined).on('close', () => other.destroy());
    }
    client.on('data', (data) => {
      read(data);
      upstream.write(data);
    });
    upstream.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address !== 'object') throw new Error('The proxy has no port.');
  const through = new URL(databaseUrl);
  through.hostname = '127.0.0.1';
  through.port = String(address.port);
  return {
    url: through.href,
    count: () => {
      const result = counted;
      counted = { statements: 0, roundTrips: 0 };
      return result;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Splits what a client sends into messages: the startup has no type, each other message a byte before its length. */
function createReader(onMessage: (type: string) => void): (data: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isStarted = false;
  return (data) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const start = isStarted ? 1 : 0;
      if (rest.length < start + 4) return;
      const length = start + rest.readUInt32BE(start);
      if (rest.length < length) return;
      if (isStarted) onMessage(String.fromCharCode(rest[0] ?? 0));
      isStarted = true;
      rest = rest.subarray(length);
    }
  };
}
