import { createServer, type Server, type ServerResponse } from 'node:http';
import { json, type Reply } from './http/reply';
import { BodyTooLargeError, type GatewayRequest, readRequest } from './http/request';
import { findRoute, type Handler, type Route } from './http/router';

/** The gateway accepts local connections only. */
const loopback = '127.0.0.1';

export type PortServer = {
  port: number;
  /** For absolute URLs in pages and sessions. */
  origin: string;
  /** Sets the port's routes, or the handler of all its requests; until then it responds with 503. */
  serve(app: PortApp | Handler): void;
  close(): Promise<void>;
};

/** A port's routes, and its response for unknown paths. */
export type PortApp = {
  routes: readonly Route[];
  notFound(request: GatewayRequest): Reply;
};

/**
 * Opens one port on the loopback address.
 * @param port 0 for any free port
 * @throws Error with the port when it is in use
 */
async function openPort(port: number): Promise<PortServer> {
  let app: PortApp | Handler | undefined;
  let origin = `http://${loopback}`;
  const server = createServer(async (message, response) => {
    try {
      const request = await readRequest(message, origin);
      send(response, app ? await handle(app, request) : json(503, { error: { message: 'Starting' } }));
    } catch (error) {
      send(response, failureReply(error));
    }
  });
  // As long as the providers' load balancers. After the default of five seconds, a client that is busy sends requests on
  // connections that close at that moment.
  server.keepAliveTimeout = 75_000;
  await listen(server, port);
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The gateway has no port');
  origin = `http://${loopback}:${address.port}`;
  return {
    port: address.port,
    origin,
    serve(served) {
      app = served;
    },
    close: () => closeServer(server),
  };
}

/**
 * Opens consecutive ports, or none of them.
 * @param first 0 for any free ports
 * @throws Error with the port that is in use
 */
export async function openPorts(first: number, count: number): Promise<PortServer[]> {
  const opened: PortServer[] = [];
  try {
    for (let index = 0; index < count; index += 1) opened.push(await openPort(first === 0 ? 0 : first + index));
  } catch (error) {
    await Promise.all(opened.map((port) => port.close()));
    throw error;
  }
  return opened;
}

function failureReply(error: unknown): Reply {
  if (error instanceof BodyTooLargeError) return json(413, { error: { message: error.message } });
  process.stderr.write(`Sandbox gateway: ${error instanceof Error ? error.stack : String(error)}\n`);
  return json(500, { error: { message: 'Gateway error' } });
}

function handle(app: PortApp | Handler, request: Omit<GatewayRequest, 'params'>): Reply | Promise<Reply> {
  if (typeof app === 'function') return app({ ...request, params: {} });
  const found = findRoute(app.routes, request.method, request.url.pathname);
  return found ? found.handler({ ...request, params: found.params }) : app.notFound({ ...request, params: {} });
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply === 'hang-up') {
    response.destroy();
    return;
  }
  const write = () => response.writeHead(reply.status, reply.headers).end(reply.body);
  if (!reply.delayMs) {
    write();
    return;
  }
  const timer = setTimeout(write, reply.delayMs);
  response.once('close', () => clearTimeout(timer));
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const claimed = error.code === 'EADDRINUSE';
      reject(claimed ? new Error(`Port ${port} is in use; choose another GATEWAY_PORT`, { cause: error }) : error);
    });
    server.listen(port, loopback, resolve);
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}
