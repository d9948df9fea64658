import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';

/**
 * Runs one function of a Vercel build as the platform's launcher does: it loads the handler from the function's folder,
 * and passes it each request. Arguments: the path of the handler, and `web` if it takes a Request and returns a
 * Response. Sends its port to the parent process.
 */
const [handlerPath = '', kind] = process.argv.slice(2);
const handler = createRequire(import.meta.url)(handlerPath);

async function serveWeb(request, response) {
  const url = `http://${request.headers.host}${request.url}`;
  const answer = await handler(new Request(url, { method: request.method, headers: request.headers }));
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') response.setHeader(name, value);
  response.setHeader('set-cookie', answer.headers.getSetCookie());
  response.statusCode = answer.status;
  if (answer.body) Readable.fromWeb(answer.body).pipe(response);
  else response.end();
}

const server = createServer((request, response) => {
  const serving = kind === 'web' ? serveWeb(request, response) : handler(request, response);
  Promise.resolve(serving).catch((thrown) => {
    console.error(thrown);
    if (!response.headersSent) response.statusCode = 500;
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }));
