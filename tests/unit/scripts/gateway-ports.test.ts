import { afterEach, expect, test, vi } from 'vitest';
import type { Lifetime } from '../../../scripts/process/lifetime';
import { findFreeBlock, pickFreePort } from '../../../scripts/process/ports';
import { startGateway } from '../../../scripts/services/gateway';

afterEach(() => vi.unstubAllEnvs());

const unused: Lifetime = {
  own: (started) => started,
  end: () => Promise.reject(new Error('Nothing was started.')),
  onExit: () => undefined,
  isEnding: () => false,
};

test.each([0, 1, 2, 3])('refuses plainly when the app wants port %i of the gateway’s', async (offset) => {
  const first = await pickFreePort();
  vi.stubEnv('GATEWAY_PORT', String(first));
  const started = startGateway(unused, { PORT: String(first + offset) }, () => undefined);
  await expect(started).rejects.toThrow(
    `PORT=${first + offset} is one of the ports ${first} to ${first + 3} that GATEWAY_PORT=${first} gives`,
  );
});

test('leaves the app’s port out when it looks for free ones', async () => {
  const first = await findFreeBlock(20_000, 4);
  const other = await findFreeBlock(20_000, 4, [first + 2]);
  expect(other).toBeGreaterThan(first);
});
