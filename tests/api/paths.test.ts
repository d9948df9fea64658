import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import routeMethods from '@/lib/platform/http/route-methods.json';
import { testSeed } from '@/scripts/testing/tier';
import { makeUser } from '@/tests/factories/make-user';
import { appUrl } from '@/tests/setup/http-client';
import { openSession } from '@/tests/setup/open-session';
import { failedParts } from './page-parameters';
import { examplePath } from './routes';

/** Requests whose path is sent as it is: `fetch` and `URL` would normalise it. */
const agent = new Agent({ keepAlive: true, maxSockets: 4 });
let cookie = '';
beforeAll(async () => {
  cookie = (await openSession((await makeUser('Admin')).userId)).cookie();
});
afterAll(() => agent.destroy());

type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

function send(method: string, path: string): Promise<Answer> {
  const { hostname, port, origin } = new URL(appUrl);
  return new Promise((resolve, reject) => {
    const headers = { cookie, origin };
    request({ hostname, port, method, path, agent, headers, timeout: 30_000 }, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }), reject);
    })
      .on('error', reject)
      .end();
  });
}

/** Sends requests, a few at once. @returns the failures that `judge` finds */
async function sendAll<Case>(cases: Case[], judge: (one: Case) => Promise<string | null>): Promise<string[]> {
  const failures: string[] = [];
  const waiting = [...cases];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined && failures.length < 20; next = waiting.shift()) {
      const failure = await judge(next).catch((thrown: unknown) => `${JSON.stringify(next).slice(0, 200)}: ${thrown}`);
      if (failure) failures.push(failure);
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return failures;
}

describe('a method that a route lacks', () => {
  it('gets 405 with the methods that it has, as OPTIONS answers them', async () => {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];
    const cases = Object.entries(routeMethods).flatMap(([path, allow], index) => {
      const lacking = methods.filter((method) => !allow.split(', ').includes(method));
      // Two of them, which differ by route.
      const chosen = [0, 1].map((step) => lacking[(index + step) % lacking.length] ?? 'TRACE');
      return [...chosen, 'OPTIONS'].map((method) => ({ path: examplePath(path), allow, method }));
    });
    const failures = await sendAll(cases, async ({ path, allow, method }) => {
      const { status, headers } = await send(method, path);
      const isRight = status === (method === 'OPTIONS' ? 204 : 405) && headers.allow === allow;
      return isRight ? null : `${method} ${path}: ${status} ${headers.allow}`;
    });
    expect(failures).toEqual([]);
  });
});

const prefixes = [
  ...[
    '/',
    '/api/',
    '/api/orders/',
    '/api/admin/orders/',
    '/api/guest-posts/',
    '/api/niches-types/niche/',
    '/api/proofs/',
  ],
  ...['/api/acl/roles/', '/api/auth/', '/api/admin/payments/', '/api/branding/logo/', '/api/user/projects/'],
  ...[
    '/_next/',
    '/_next/static/',
    '/_next/data/',
    '/admin/',
    '/user/orders/',
    '/user/projects/',
    '/explore/',
    '/proof/',
  ],
  ...['/dashboard/features/orders/', '/dashboard/features/users/', '/.well-known/', '//', '/seller/'],
];
const malformedPieces = [
  '%',
  '%2',
  '%zz',
  '%E0%A4%A',
  '%C0%AF',
  '%ED%A0%80',
  '%ff',
  '%C3',
  '%F5%80%80%80',
  '50%',
  '%u0041',
];
const oddPieces = [
  ...[
    '%00',
    '%2F',
    '..%2f',
    '%2e%2e',
    '%5C',
    '%25',
    '%2525',
    '%25zz',
    '%25%30%30',
    '%0d%0a',
    '%E2%80%AE',
    '%3F',
    '%23',
  ],
  ...[
    '__proto__',
    'constructor',
    '[id]',
    '%5Bid%5D',
    '..',
    '.',
    '',
    '+',
    '%20',
    ';a=b',
    '(.)',
    '@x',
    '$',
    '~',
    '*',
    ':',
  ],
  ...['999999999', '9'.repeat(40), '-1', '1e9', '%C3%A9', '%F0%9F%98%80'],
  ...['x'.repeat(2_000), '%41'.repeat(600), 'export', 'download', 'file', '%EF%BB%BF', '%E2%80%8B'],
];
const anyPath = fc
  .tuple(
    fc.constantFrom(...prefixes),
    fc.array(
      fc.oneof(
        { weight: 1, arbitrary: fc.constantFrom(...malformedPieces) },
        { weight: 3, arbitrary: fc.constantFrom(...oddPieces) },
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    fc.constantFrom('/', ''),
    fc.constantFrom('', '', '?q=%', '?q=%ff', '/'),
  )
  .map(([prefix, pieces, joint, end]) => prefix + pieces.join(joint) + end)
  // A redirect repeats the path in two headers, of which Node.js reads 16 kB.
  .filter((path) => path.length < 6_000);

function isMalformed(path: string): boolean {
  try {
    decodeURIComponent(path.split('?')[0] ?? '');
    return false;
  } catch {
    return true;
  }
}

/** Why the response to a path is not the right one; null otherwise. */
function judge(method: string, path: string, { status, headers, body }: Answer): string | null {
  const shown = `${method} ${path.slice(0, 200)}: ${status} ${body.slice(0, 200)}`;
  if (status >= 500 || failedParts(body).length > 0) return shown;
  // Next.js redirects repeated and trailing slashes before it adds headers.
  if (!isMalformed(path))
    return status === 308 || headers['x-content-type-options'] === 'nosniff' ? null : `${shown} without nosniff`;
  const isForm = method === 'HEAD' || /^\{"error":"[^"]+"\}$/.test(body);
  const isProtected =
    headers['x-content-type-options'] === 'nosniff' &&
    headers['x-frame-options'] === 'DENY' &&
    String(headers['content-security-policy']).startsWith("default-src 'none'") &&
    headers['content-type'] === 'application/json';
  return status === 400 && isForm && isProtected && headers['x-request-id'] ? null : shown;
}

describe('a path', () => {
  it('that is malformed gets 400 in the form of the API everywhere, and none gets 500', async () => {
    const fixed = prefixes.flatMap((prefix) =>
      [...malformedPieces, '%25', '%2525', '%00'].map((piece) => prefix + piece),
    );
    const random = fc.sample(anyPath, { seed: testSeed, numRuns: 500 });
    const methods = ['GET', 'HEAD', 'POST', 'OPTIONS', 'GET'];
    const cases = [...fixed, ...random].map((path, index) => ({ path, method: methods[index % 5] ?? 'GET' }));
    const failures = await sendAll(cases, async ({ method, path }) => judge(method, path, await send(method, path)));
    expect(failures, `TEST_SEED=${testSeed}`).toEqual([]);
  }, 120_000);
});
