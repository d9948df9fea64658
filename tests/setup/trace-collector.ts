import { once } from 'node:events';
import { createServer } from 'node:http';

/** A collector of traces that stores what it receives. Strings are plain text in protobuf. */
export async function startTraceCollector() {
  const received: { path: string; body: string; headers: NodeJS.Dict<string | string[]> }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks).toString('latin1');
    received.push({ path: request.url ?? '', body, headers: request.headers });
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The collector has no port.');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { endpoint: `http://127.0.0.1:${address.port}`, received, close };
}
