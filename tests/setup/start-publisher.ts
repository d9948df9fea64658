import { afterAll, beforeAll } from 'vitest';
import { env } from '@/lib/env';
import { type RunningGateway, startGateway } from '@/sandbox/start';

/**
 * Starts the sandbox's publisher for the tests of a file: pages below example.com, example.net and example.org that are
 * delivered are published there first, so that their checks find the link without a request to the internet.
 */
export function startPublisher(): void {
  const before = env().PUBLISHER_BASE_URL;
  let gateway: RunningGateway | undefined;
  beforeAll(async () => {
    gateway = await startGateway({ port: 0, appUrl: 'http://127.0.0.1:9', stripeWebhookSecret: 'whsec_test' });
    env().PUBLISHER_BASE_URL = `http://127.0.0.1:${gateway.ports.publisher}`;
  });
  afterAll(async () => {
    env().PUBLISHER_BASE_URL = before;
    await gateway?.close();
  });
}
