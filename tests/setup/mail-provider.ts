import { createServer } from 'node:http';
import { startGateway } from '@/sandbox/start';

/**
 * A proxy before the gateway's inbox with failure modes: `forward` passes calls on, `refuse` responds with 503 without
 * passing them on, `lose-answer` passes them on and responds with 503, `too-often` responds with 429 and `retryAfter`
 * without passing them on, `hang` passes them on and never responds. Sets RESEND_*, so start it before the first call
 * of `env()`.
 */
export async function startMailProvider() {
  const gateway = await startGateway({ port: 0, appUrl: 'http://127.0.0.1:9', stripeWebhookSecret: 'whsec_unused' });
  const line = {
    mode: 'forward' as 'forward' | 'refuse' | 'lose-answer' | 'too-often' | 'hang',
    retryAfter: '',
    calls: 0,
    /** The maximum number of concurrent calls. */
    mostAtOnce: 0,
  };
  let inFlight = 0;
  const server = createServer(async (request, response) => {
    line.calls += 1;
    inFlight += 1;
    line.mostAtOnce = Math.max(line.mostAtOnce, inFlight);
    response.on('close', () => {
      inFlight -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const busy = () => {
      const body = { statusCode: 503, name: 'internal_server_error', message: 'Busy' };
      response.writeHead(503, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (line.mode === 'refuse') return busy();
    if (line.mode === 'too-often') {
      const body = { statusCode: 429, name: 'rate_limit_exceeded', message: 'Too many requests' };
      const wait = line.retryAfter ? { 'retry-after': line.retryAfter } : {};
      return response.writeHead(429, { 'content-type': 'application/json', ...wait }).end(JSON.stringify(body));
    }
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => /^(authorization|content-type|idempotency-key)$/.test(name)),
    );
    const answer = await fetch(`${gateway.url}${request.url}`, {
      method: request.method ?? 'POST',
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      body: Buffer.concat(chunks),
    });
    if (line.mode === 'lose-answer') return busy();
    if (line.mode === 'hang') return undefined;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('No port');
  Object.assign(process.env, { RESEND_API_KEY: 're_test', RESEND_BASE_URL: `http://127.0.0.1:${address.port}` });
  return {
    line,
    /** The mails to an address, newest first. */
    mailsTo: async (to: string): Promise<{ subject: string; text: string; html: string }[]> =>
      (await fetch(`${gateway.url}/emails?to=${encodeURIComponent(to)}`)).json(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await gateway.close();
    },
  };
}
