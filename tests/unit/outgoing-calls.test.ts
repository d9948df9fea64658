import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Everything that can open a connection: fetch and similar functions, Node's clients, and the providers' SDKs. */
const openers =
  /\bfetch\(|\bconnect\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|\b(?:get|request)\(\s*\{?\s*host|from '(?:node:)?(?:https?|http2|tls|dgram|dns|undici)'|new Stripe\(|new Resend\(|new S3\(|core\.\w*Environment/;

/**
 * Every file that opens a connection, and what determines its address. It is never an address entered by a user,
 * because a server that fetches such an address can be made to call its own network (server-side request forgery).
 */
const callers: Record<string, string> = {
  // In the browser, to paths of the app itself.
  'lib/browser/api-client.ts': 'a path of ours',
  'lib/browser/upload.ts': 'a path of ours',
  'components/auth/send-reset.ts': 'a path of ours',
  'components/sites/import-steps.tsx': 'a path of ours',
  'components/shell/account-menu.tsx': 'a path of ours',
  'components/shell/portal-failure.tsx': 'a path of ours',
  'components/orders/room/use-room.ts': 'a path of ours',
  // On the server, to addresses from the environment or of the provider.
  'lib/platform/storage/s3-store.ts': 'S3_ENDPOINT',
  'lib/platform/storage/clamd.ts': 'CLAMD_ADDRESS',
  'lib/integrations/test-integration.ts': 'OPENAI_BASE_URL',
  'lib/serp/suggest-snippet.ts': 'OPENAI_BASE_URL',
  'lib/mail/send.ts': 'RESEND_BASE_URL',
  'lib/payments/providers/stripe/provider.ts': 'STRIPE_BASE_URL',
  'lib/payments/providers/paypal/client.ts': 'PAYPAL_BASE_URL',
  'lib/payments/test-connection.ts': 'PAYPAL_BASE_URL',
  'lib/payments/providers/wechat/client.ts': 'WECHAT_BASE_URL',
  // Named by a notification, and fetched only from PayPal's own hosts: tests/unit/payments/paypal-certificates.test.ts.
  'lib/payments/providers/paypal/signature.ts': 'a host of PayPal',
  // Servers, which open no connections.
  'lib/platform/lifecycle/graceful-shutdown.ts': 'none',
  'lib/platform/lifecycle/start-server-process.ts': 'none',
  'lib/platform/http/client-ip.ts': 'none',
  'lib/platform/http/log-requests.ts': 'none',
  'lib/platform/log/open-requests.ts': 'none',
};

it('lists every file that opens a connection, none to an address entered by a user', () => {
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
