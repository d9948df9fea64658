import { afterAll, beforeAll } from 'vitest';
import { env } from '@/lib/env';
import { type RunningGateway, startGateway } from '@/sandbox/start';
import { controlPublisher } from './publisher';

/**
 * Starts the sandbox for the tests of a file, and directs requests for any page to its publisher: pages below
 * example.com, example.net and example.org exist there once they are published.
 */
export function startPublisher() {
  const before = env().PUBLISHER_BASE_URL;
  let gateway: RunningGateway | undefined;
  const getGateway = () => {
    if (!gateway) throw new Error('The sandbox has not started.');
    return gateway;
  };
  const getPublisherUrl = () => `http://127.0.0.1:${getGateway().ports.publisher}`;
  beforeAll(async () => {
    gateway = await startGateway({ port: 0, appUrl: 'http://127.0.0.1:9', stripeWebhookSecret: 'whsec_test' });
    env().PUBLISHER_BASE_URL = getPublisherUrl();
  });
  afterAll(async () => {
    env().PUBLISHER_BASE_URL = before;
    await gateway?.close();
  });
  return {
    /** Returns the address of the sandbox's other servers. */
    getGatewayUrl: () => getGateway().url,
    getPublisherUrl,
    control: (method: 'GET' | 'PUT' | 'DELETE', path: string, body?: object) =>
      controlPublisher(method, path, body, getPublisherUrl()),
  };
}
