import { createServer } from 'node:http';
import { runStatements } from './bare-next/app/statements.mjs';

/** The baseline with only node:http and postgres.js: GET /sql/<name> on PORT. */
createServer(async (request, response) => {
  const { rows, total } = await runStatements(request.url.split('/').at(-1));
  const body = JSON.stringify(rows);
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(total !== undefined && { 'x-total-count': String(total) }),
  });
  response.end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');
