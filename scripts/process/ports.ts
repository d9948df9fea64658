import { createServer } from 'node:net';

/** Checks whether a server can listen on this port, on the loopback address and on all addresses. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port));
}

/** Returns a free port, chosen by the system. */
export function pickFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('The system assigned no port.'));
      });
    });
  });
}

/**
 * Returns the first of `count` consecutive free ports, searching from `start` upwards in steps of ten.
 * @param claimed ports that are free only until their owner starts
 */
export async function findFreeBlock(start: number, count: number, claimed: readonly number[] = []): Promise<number> {
  for (let first = start; first + count <= 65_535; first += 10) {
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const free = await Promise.all(ports.map(async (port) => !claimed.includes(port) && (await isPortFree(port))));
    if (free.every(Boolean)) return first;
  }
  throw new Error(`There are no ${count} free ports in a row above ${start}.`);
}

function canListen(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
