import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { runCommand } from '@/scripts/process/lifetime';
import { pickFreePort } from '@/scripts/process/ports';
import { startServices } from '@/scripts/services/start-services';
import { startBucket } from '@/tests/setup/s3-bucket';
import { buildForVercel } from './vercel/build-output';
import { startPlatform } from './vercel/platform';

const say = (line: string) => void process.stdout.write(`${line}\n`);
const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
const maxFunctionBytes = 250_000_000;

/**
 * `npm run check:vercel`: builds the app with Vercel's command line, runs its functions on a database with the demo's
 * data, a bucket and the sandbox of the payment providers, and uses them as a browser and the cron would. Needs the
 * npm registry at its first run. Exits with 1 when an answer is not the expected one.
 */
runCommand(async (lifetime) => {
  const dataDir = await lifetime.own(Promise.resolve(mkdtempSync(join(tmpdir(), 'linkmarket-vercel-'))), (folder) =>
    rmSync(folder, { recursive: true, force: true }),
  );
  const port = await pickFreePort();
  const bucket = await lifetime.own(startBucket(), ({ close }) => void close());
  const services = await startServices(lifetime, { appEnv: 'demo', port, dataDir, durable: false, say });
  await services.seeded;
  const cronSecret = randomBytes(24).toString('base64url');
  const env = {
    ...services.env,
    VERCEL: '1',
    JOBS: 'off',
    CRON_SECRET: cronSecret,
    DATABASE_POOL_MAX: '3',
    S3_ENDPOINT: bucket.endpoint,
    S3_BUCKET: 'content',
    S3_ACCESS_KEY_ID: 'check',
    S3_SECRET_ACCESS_KEY: randomBytes(24).toString('base64url'),
    LOG_LEVEL: 'warn',
  };
  const output = await buildForVercel(lifetime, env, (line) => say(`  build | ${line}`));
  const { answered } = await startPlatform(lifetime, output, { port, env, say: (line) => say(`  ${line}`) });

  const origin = env.APP_URL;
  const failures: string[] = [];
  const check = (what: string, isMet: boolean, found: unknown) => {
    say(`${isMet ? 'ok    ' : 'failed'}  ${what}`);
    if (!isMet) failures.push(`${what}: ${String(found).slice(0, 300)}`);
  };
  let cookie = '';
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = { ...(cookie && { cookie }), origin, ...init.headers };
    const response = await fetch(`${origin}${path}`, { redirect: 'manual', ...init, headers });
    const session = response.headers.getSetCookie().find((line) => line.includes('linkmarket.session'));
    if (session) cookie = session.split(';')[0] ?? '';
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
    });

  const page = await send('/user/login');
  const nonce = /'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '')?.[1] ?? '-';
  check('a page', page.status === 200 && page.text.includes('</html>'), page.status);
  check('the nonce of the middleware is in the page', page.text.includes(`nonce="${nonce}"`), nonce);
  const script = /src="(\/_next\/static\/[^"]+\.js)"/.exec(page.text)?.[1] ?? '/none';
  check('a script of the page', (await send(script)).status === 200, script);
  const away = await send('/user/orders');
  check(
    'a page without a session leads to sign-in',
    away.headers.get('location')?.includes('/user/login') ?? false,
    away.status,
  );
  const unknown = await send('/no/such/page');
  check('an unknown path', unknown.status === 404 && unknown.text.includes('</html>'), unknown.status);
  const health = await send('/api/health');
  check('health', health.status === 200, health.text);

  const signedIn = await post('/api/user/auth/login', { email: 'buyer@example.com', password: 'DemoPassw0rd!' });
  check('sign-in', signedIn.status === 200, signedIn.text);
  const marketplace = await send('/user/marketplace');
  check(
    'a page of a session',
    marketplace.status === 200 && marketplace.text.includes('Marketplace'),
    marketplace.status,
  );

  const rows = z.array(z.looseObject({ id: z.union([z.string(), z.number()]) })).min(1);
  const projects = rows.parse(JSON.parse((await send('/api/user/projects')).text));
  const sites = rows.parse(JSON.parse((await send('/api/guest-posts?limit=25')).text));
  const balance = async () => (await send('/api/wallet/balance')).text;
  const before = await balance();
  const order = await post(
    '/api/orders',
    { kind: 'custom', projectId: projects[0]?.id, siteIds: [sites[0]?.id] },
    { 'idempotency-key': 'check-vercel' },
  );
  check('an order', order.status === 201, order.text);
  const placed = z.object({ orders: rows }).safeParse(JSON.parse(order.text)).data?.orders[0]?.id ?? 0;
  check('the wallet paid for it', before !== (await balance()), before);
  const detail = await send(`/user/orders/${placed}`);
  check(
    'its page, by a route with a parameter',
    detail.status === 200 && detail.text.includes(`#${placed}`),
    detail.status,
  );
  const transition = await send('/user/wallet', { headers: { rsc: '1' } });
  check(
    'a transition between pages',
    /text\/x-component/.test(transition.headers.get('content-type') ?? ''),
    transition.status,
  );

  const upload = (bytes: number) => {
    const form = new FormData();
    form.append('file', new File(['An article. '.repeat(bytes / 12)], 'article.txt', { type: 'text/plain' }));
    return send('/api/brief-articles', { method: 'POST', body: form });
  };
  const objects = bucket.objects.size;
  const small = await upload(100_000);
  check('an upload is stored in the bucket', small.status === 201 && bucket.objects.size > objects, small.text);
  check('an upload above 4.5 MB is refused by the platform', (await upload(5_000_000)).status === 413, '');

  cookie = '';
  for (const { path } of output.crons) {
    check(`the cron ${path} needs its secret`, (await send(path)).status === 401, '');
    const ran = await send(path, { headers: { authorization: `Bearer ${cronSecret}` } });
    const { jobs } = z.object({ jobs: z.array(z.object({ ok: z.boolean() })) }).parse(JSON.parse(ran.text));
    check(`the cron ${path} runs all jobs`, jobs.length > 0 && jobs.every(({ ok }) => ok), ran.text);
  }

  // The prerendered page of an error of the root layout.
  for (const { name } of output.functions) if (!answered.has(name)) await send(`/${name}`);
  for (const { name, sizeBytes } of output.functions) {
    const requests = answered.get(name) ?? 0;
    check(
      `the function ${name}: ${megabytes(sizeBytes)}, ${requests} requests`,
      requests > 0 && sizeBytes < maxFunctionBytes,
      requests,
    );
  }
  for (const failure of failures) say(`\n${failure}`);
  await lifetime.end(failures.length > 0 ? 1 : 0);
});
