import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Everything that can open a connection: fetch and similar functions, Node's clients, and the providers' SDKs. */
const openers =
  /\bfetch\(|\bconnect\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|\b(?:get|request)\(\s*\{?\s*host|from '(?:node:)?(?:https?|http2|tls|dgram|dns(?:\/promises)?|undici)'|\bconnect\b[^;']*from '(?:node:)?net'|new Stripe\(|new Resend\(|createTransport\(|new S3\(|core\.\w*Environment/;

/** An address that a user entered. A server that fetches one can be made to call its own network (SSRF). */
const entered = 'an address entered by a user';

/**
 * Every file that opens a connection, and what determines its address. Only the guarded fetcher connects to addresses that
 * users entered: tests/unit/links/fetch-page.test.ts covers its rules.
 */
const callers: Record<string, string> = {
  // In the browser, to paths of the app itself.
  'lib/browser/api-client.ts': 'a path of ours',
  'lib/browser/upload.ts': 'a path of ours',
  'components/auth/password-reset.tsx': 'a path of ours',
  'components/sites/import-steps.tsx': 'a path of ours',
  'components/shell/use-logout.ts': 'a path of ours',
  'components/shell/portal-failure.tsx': 'a path of ours',
  'components/orders/room/use-room.ts': 'a path of ours',
  // The console of the API reference: the path of an operation.
  'app/developers/_components/try-it.tsx': 'a path of ours',
  // On the server, to addresses from the environment or of the provider.
  'lib/platform/storage/s3-store.ts': 'S3_ENDPOINT',
  'lib/platform/storage/clamd.ts': 'CLAMD_ADDRESS',
  'lib/integrations/test-integration.ts': 'OPENAI_BASE_URL',
  'lib/serp/suggest-snippet.ts': 'OPENAI_BASE_URL',
  'lib/approvals/take-ecb-rates.ts': 'ECB_BASE_URL',
  'lib/sites/domain-figures/ahrefs/ask-ahrefs.ts': 'AHREFS_BASE_URL',
  'lib/tax/ask-vies.ts': 'VIES_BASE_URL',
  'lib/developers/webhooks/chats/telegram.ts': 'TELEGRAM_BASE_URL',
  'lib/links/sandbox-publisher.ts': 'PUBLISHER_BASE_URL',
  'lib/mail/send.ts': 'RESEND_BASE_URL',
  'lib/mail/smtp.ts': 'SMTP_URL',
  'lib/payments/providers/stripe/provider.ts': 'STRIPE_BASE_URL',
  'lib/payments/providers/paypal/client.ts': 'PAYPAL_BASE_URL',
  'lib/payments/providers/test-connection.ts': 'PAYPAL_BASE_URL',
  'lib/payments/providers/wechat/client.ts': 'WECHAT_BASE_URL',
  // Named by a notification, and fetched only from PayPal's own hosts: tests/unit/payments/paypal-certificates.test.ts.
  'lib/payments/providers/paypal/signature.ts': 'a host of PayPal',
  'lib/links/fetch-page.ts': entered,
  'lib/links/guarded-connection.ts': entered,
  // Asks the name server of the installation.
  'lib/sites/ownership/probe-dns.ts': 'none',
  // Servers, which open no connections.
  'lib/platform/lifecycle/start-server-process.ts': 'none',
  'lib/developers/mcp/mcp-route.ts': 'none',
  'lib/platform/http/client-ip.ts': 'none',
  'lib/platform/http/guard-requests.ts': 'none',
  'lib/platform/http/log-requests.ts': 'none',
  'lib/platform/log/open-requests.ts': 'none',
};

/** The files of the app and their sources. */
const sources = new Map(
  ['app', 'components', 'lib', 'middleware.ts', 'instrumentation.ts']
    .flatMap((place) =>
      /\.ts$/.test(place)
        ? [place]
        : readdirSync(join(root, place), { recursive: true, encoding: 'utf8' }).map((file) => join(place, file)),
    )
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
);
const listFiles = (pattern: RegExp) =>
  [...sources].flatMap(([file, source]) => (pattern.test(source) ? [file] : [])).sort();

it('lists every file that opens a connection, and one fetcher to addresses entered by users', () => {
  expect(listFiles(openers)).toEqual(Object.keys(callers).sort());
  const guarded = Object.keys(callers).filter((file) => callers[file] === entered);
  expect(guarded).toEqual(['lib/links/fetch-page.ts', 'lib/links/guarded-connection.ts']);
  // Connections are opened by the fetcher alone.
  expect(listFiles(/import \{[^}]*\bopenConnection\b/)).toEqual(['lib/links/fetch-page.ts']);
});

const listImporters = (names: string) => listFiles(new RegExp(`import \\{[^}]*\\b(?:${names})\\b[^}]*\\}`));

it('reaches the fetcher and the sandbox publisher only from link checks, proofs of domains and WordPress', () => {
  const ofSites = ['lib/sites/ownership/probe-web.ts', 'lib/sites/wordpress/discover.ts'];
  expect(listImporters('fetchPage')).toEqual(['lib/links/check-page.ts', 'lib/links/robots.ts', ...ofSites]);
  expect(listImporters('checkPage|createRobotsFiles|openPage|publishSandboxPage')).toEqual([
    'lib/orders/link-checks/run.ts',
    'lib/orders/placements/check-delivery.ts',
  ]);
});

it('sends messages to entered addresses only from the delivery of webhooks and to Slack, which are behind their flag', () => {
  const attempt = 'lib/developers/webhooks/attempt.ts';
  const slack = 'lib/developers/webhooks/chats/slack.ts';
  expect(listImporters('postToAddress')).toEqual([attempt, slack].sort());
  const [connect, send] = ['connect', 'send'].map((name) => `lib/developers/webhooks/chats/${name}.ts`);
  expect(listImporters('sendToSlack')).toEqual([connect, send]);
  expect(listImporters('sendToChat')).toEqual([attempt, connect]);
  const sendNow = 'lib/developers/webhooks/send-now.ts';
  expect(listImporters('runTurn')).toEqual([sendNow]);
  // tests/domain/{wordpress,invoice-delivery}.test.ts cover its rules: the host of the proved domain or of the key.
  expect(listImporters('callAddress')).toEqual([
    'lib/invoices/delivery/ask-provider.ts',
    'lib/sites/wordpress/client.ts',
  ]);
  // tests/api/outgoing-webhooks.test.ts covers both ways with the flag off.
  expect(listFiles(/(?:isFlagOn|requireFlag)\('webhooks'/)).toEqual(
    expect.arrayContaining(['lib/developers/webhooks/deliver.ts', connect, sendNow]),
  );
});
