import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** What can open a connection: fetch and its kin, Node's own clients, and the clients of providers. */
const openers =
  /\bfetch\(|\bconnect\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|\b(?:get|request)\(\s*\{?\s*host|from '(?:node:)?(?:https?|http2|tls|dgram|dns|undici)'|new Stripe\(|new Resend\(|new AwsClient\(|core\.\w*Environment/;

/**
 * Every file that calls somebody, and who says whom. In none of them it is an address that a person typed: a server
 * that fetched one could be made to call its own network (server-side request forgery).
 */
const callers: Record<string, string> = {
  // In the browser, to our own addresses.
  'lib/browser/api-client.ts': 'a path of ours',
  'lib/browser/upload.ts': 'a path of ours',
  'components/auth/send-reset.ts': 'a path of ours',
  'components/sites/import-steps.tsx': 'a path of ours',
  'components/shell/account-menu.tsx': 'a path of ours',
  'components/shell/portal-failure.tsx': 'a path of ours',
  // On the server, to what the environment names or the provider's own address.
  'lib/platform/storage/s3-store.ts': 'S3_ENDPOINT',
  'lib/platform/storage/s3-parts.ts': 'S3_ENDPOINT',
  'lib/platform/storage/s3-unfinished.ts': 'S3_ENDPOINT',
  'lib/platform/storage/clamd.ts': 'CLAMD_ADDRESS',
  'lib/integrations/test-integration.ts': 'OPENAI_BASE_URL',
  'lib/serp/suggest-snippet.ts': 'OPENAI_BASE_URL',
  'lib/mail/send.ts': 'RESEND_BASE_URL',
  'lib/payments/providers/stripe/provider.ts': 'STRIPE_BASE_URL',
  'lib/payments/providers/paypal/client.ts': 'PAYPAL_BASE_URL',
  'lib/payments/config/test-connection.ts': 'PAYPAL_BASE_URL',
  'lib/payments/providers/wechat/client.ts': 'WECHAT_BASE_URL',
  // Named by a notification, and asked only at PayPal's own hosts: tests/unit/payments/paypal-certificates.test.ts.
  'lib/payments/providers/paypal/signature.ts': 'a host of PayPal',
  // These serve, and call nobody.
  'lib/platform/lifecycle/graceful-shutdown.ts': 'nobody',
  'lib/platform/lifecycle/start-server-process.ts': 'nobody',
  'lib/platform/http/client-ip.ts': 'nobody',
  'lib/platform/log/log-requests.ts': 'nobody',
  'lib/platform/log/open-requests.ts': 'nobody',
};

it('calls no address that a person typed: whoever opens a connection says here to whom', () => {
  const found = ['app', 'components', 'lib', 'middleware.ts', 'instrumentation.ts']
    .flatMap((place) =>
      /\.ts$/.test(place)
        ? [place]
        : readdirSync(join(root, place), { recursive: true, encoding: 'utf8' }).map((file) => join(place, file)),
    )
    .filter((file) => /\.tsx?$/.test(file))
    .filter((file) => openers.test(readFileSync(join(root, file), 'utf8')));
  expect(found.sort()).toEqual(Object.keys(callers).sort());
});
