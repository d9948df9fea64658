import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * A proxy between the app and PostgreSQL that can lose the response to a commit: the server has committed, and the
 * connection ends before the client receives the response.
 * @returns the database URL through it, and `loseNextCommit`
 */
export async function openLosingProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isLosing = false;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const endBoth = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // Either side may close first; the other is then closed too.
      socket.on('error', () => undefined).on('close', endBoth);
    }
    client.on('data', (data) => upstream.write(data));
    upstream.on('data', (data) => {
      // The tag of CommandComplete. The request cannot be recognized: a prepared commit does not contain the word.
      if (isLosing && data.includes('COMMIT\0')) {
        isLosing = false;
        client.destroy();
      } else client.write(data);
    });
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
    loseNextCommit: () => {
      isLosing = true;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
