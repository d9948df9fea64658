import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readOptions } from '@/sandbox/read-options';
import { startGateway } from '@/sandbox/start';
import {
  control,
  openGateway,
  press,
  sessionParams,
  startReceiver,
  stripeClient,
  temporaryFolder,
  verifiedEvents,
  webhookSecret,
} from './harness';

const options = { port: 0, appUrl: 'http://127.0.0.1:9', stripeWebhookSecret: webhookSecret };

test.each(['production', undefined])('does not start with APP_ENV %s', async (appEnv) => {
  vi.stubEnv('APP_ENV', appEnv);
  await expect(startGateway(options)).rejects.toThrow('only with APP_ENV=demo or test');
});

test('names a used port, and leaves none open', async () => {
  vi.stubEnv('APP_ENV', 'test');
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await expect(startGateway({ ...options, port })).rejects.toThrow(`Port ${port} is in use`);
  await expect(fetch(`http://127.0.0.1:${port + 1}/v1/balance`)).rejects.toThrow();
  await new Promise((resolve) => other.close(resolve));
});

test('sessions, keys, mails and unfinished deliveries survive a restart', async () => {
  const receiver = await startReceiver();
  const file = join(await temporaryFolder(), 'data', 'gateway.json');
  const first = await openGateway(receiver.url, file);
  const key = { idempotencyKey: 'topup-1' };
  const session = await stripeClient(first).checkout.sessions.create(sessionParams(), key);
  await control(first, '/controls/stripe', { delayMs: 2_000 });
  await press(first, session.id, 'pay');
  await first.close();
  expect(receiver.calls).toHaveLength(0);

  const second = await openGateway(receiver.url, file);
  const stripe = stripeClient(second);
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_status: 'paid' });
  expect((await stripe.checkout.sessions.create(sessionParams(), key)).id).toBe(session.id);
  await expect.poll(() => receiver.calls.length, { timeout: 20_000 }).toBe(1);
  expect(verifiedEvents(receiver)[0]?.type).toBe('checkout.session.completed');
});

test('keeps its keys over a restart', async () => {
  const file = join(await temporaryFolder(), 'gateway.json');
  const keys = async (gateway: { url: string }): Promise<object> =>
    (await fetch(`${gateway.url}/controls/keys`)).json();
  const first = await openGateway('http://127.0.0.1:9', file);
  const before = await keys(first);
  await first.close();
  const kept: unknown = JSON.parse(await readFile(file, 'utf8'));
  expect(kept).toMatchObject({ keys: { wechat: { serial: Object(before).wechatPlatformSerial } } });
  const { paypalCertUrl: _, ...after } = Object(await keys(await openGateway('http://127.0.0.1:9', file)));
  expect(before).toMatchObject(after);
});

test('without an account a port is open and rejects all credentials', async () => {
  vi.stubEnv('APP_ENV', 'test');
  const gateway = await startGateway(options);
  const token = await fetch(`http://127.0.0.1:${gateway.ports.paypal}/v1/oauth2/token`, { method: 'POST' });
  const certificates = await fetch(`http://127.0.0.1:${gateway.ports.wechat}/v3/certificates`);
  await gateway.close();
  expect([token.status, certificates.status]).toEqual([401, 401]);
});

test('as a process: requires a complete account or none', () => {
  const env = { APP_URL: 'http://127.0.0.1:9', GATEWAY_STRIPE_WEBHOOK_SECRET: webhookSecret };
  expect(readOptions(env)).toEqual({
    port: 4610,
    appUrl: env.APP_URL,
    stripeWebhookSecret: webhookSecret,
    stateFile: join('.data', 'gateway.json'),
  });
  expect(() => readOptions({ ...env, GATEWAY_PAYPAL_CLIENT_ID: 'x' })).toThrow('GATEWAY_PAYPAL_CLIENT_SECRET');
  expect(() => readOptions({ ...env, GATEWAY_WECHAT_API_V3_KEY: 'short' })).toThrow('GATEWAY_WECHAT_API_V3_KEY');
});

test('moves an unreadable state file aside', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'gateway.json');
  await writeFile(file, '{"stripe": tor');
  const gateway = await openGateway('http://127.0.0.1:9', file);
  expect((await fetch(`${gateway.url}/sessions`)).status).toBe(200);
  expect(await readFile(`${file}.unreadable`, 'utf8')).toBe('{"stripe": tor');
});

test('concurrent writes leave one complete file', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'gateway.json');
  const gateway = await openGateway('http://127.0.0.1:9', file);
  const stripe = stripeClient(gateway);
  await Promise.all(
    Array.from({ length: 30 }, (_, index) => stripe.checkout.sessions.create(sessionParams(`t${index}`))),
  );
  const saved: unknown = JSON.parse(await readFile(file, 'utf8'));
  expect(saved).toMatchObject({ stripe: { sessions: { length: 30 } } });
  expect(await readdir(folder)).toEqual(['gateway.json']);
});

test('as a process: reports when it is ready and ends with its parent', async () => {
  const folder = await temporaryFolder();
  const port = 20_000 + Math.floor(Math.random() * 12_000);
  const child = fork(join(import.meta.dirname, '../../../sandbox/start.ts'), {
    execArgv: ['--import', 'tsx'],
    silent: true,
    env: {
      ...process.env,
      APP_ENV: 'test',
      GATEWAY_PORT: String(port),
      APP_URL: 'http://127.0.0.1:9',
      GATEWAY_STRIPE_WEBHOOK_SECRET: webhookSecret,
      DATA_DIR: folder,
    },
  });
  const [message] = await once(child, 'message');
  expect(message).toEqual({
    type: 'ready',
    url: `http://127.0.0.1:${port}`,
    ports: { inbox: port, stripe: port + 1, paypal: port + 2, wechat: port + 3, publisher: port + 4 },
  });
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
  child.disconnect();
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
}, 20_000);
