import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { Lifetime } from '@/scripts/process/lifetime';
import { findFreeBlock, pickFreePort } from '@/scripts/process/ports';
import { startGateway } from '@/scripts/services/gateway';

afterEach(() => vi.unstubAllEnvs());

const unused: Lifetime = {
  own: (started) => started,
  end: () => Promise.reject(new Error('Nothing was started.')),
  onExit: () => undefined,
  onHangUp: () => undefined,
  isEnding: () => false,
};

test.each([0, 1, 2, 3, 4])("rejects the gateway's port %i as the app's port", async (offset) => {
  const first = await pickFreePort();
  vi.stubEnv('GATEWAY_PORT', String(first));
  const started = startGateway(unused, { PORT: String(first + offset) }, () => undefined);
  await expect(started).rejects.toThrow(
    `PORT=${first + offset} is one of the ports ${first} to ${first + 4} that GATEWAY_PORT=${first} gives`,
  );
});

test("excludes the app's port from the free ports", async () => {
  const first = await findFreeBlock(20_000, 4);
  const other = await findFreeBlock(20_000, 4, [first + 2]);
  expect(other).toBeGreaterThan(first);
});

test('two gateways that start at the same time get different ports and keys', {
  timeout: 60_000,
}, async () => {
  vi.stubEnv('GATEWAY_PORT', undefined);
  const folder = mkdtempSync(join(tmpdir(), 'linkmarket-gateways-'));
  const stops: (() => Promise<void> | void)[] = [];
  let second: ReturnType<typeof start> | undefined;
  const lifetime: Lifetime = {
    ...unused,
    own: async (started, stop) => {
      const thing = await started;
      stops.push(() => stop(thing));
      // The first process has chosen its ports and does not listen on them yet.
      second ??= start('two');
      return thing;
    },
  };
  const port = String(await pickFreePort());
  const start = (name: string) =>
    startGateway(
      lifetime,
      {
        PORT: port,
        APP_ENV: 'test',
        APP_URL: `http://127.0.0.1:${port}`,
        DATA_DIR: join(folder, name),
        GATEWAY_STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(8).toString('hex')}`,
      },
      () => undefined,
    );
  try {
    const started = [await start('one'), await second];
    expect(new Set(started.map((one) => one?.gatewayPort)).size).toBe(2);
    expect(new Set(started.map((one) => one?.keys.wechatPublicKeyPem)).size).toBe(2);
    expect(started.map((one) => one?.gateway.hasExited())).toEqual([false, false]);
  } finally {
    for (const stop of stops) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
