import { type IncomingHttpHeaders, type IncomingMessage, maxHeaderSize, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { isOpenToUsers } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { listGrantableScopes } from '@/lib/access/token-scopes';
import { createOrder } from '@/lib/orders/order/create';
import { isFullRun, testSeed } from '@/scripts/testing/tier';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeToken } from '@/tests/factories/make-token';
import { checkResponse } from '@/tests/setup/documented-responses';
import { appUrl, openClient } from '@/tests/setup/http-client';
import { hostileTexts, hostileValues } from './hostile-values';
import { failedParts, pageParameters } from './page-parameters';
import { examplePath, portalPages, publicPages, routes } from './routes';

/**
 * Random requests to every endpoint and page, generated from the OpenAPI document: query parameters, headers, content
 * types, methods, and credentials: a session as a cookie or a bearer token, and API tokens with all scopes. None may
 * return 500, and every response of an endpoint is as documented. TEST_SEED repeats them.
 */
const caseCount = { endpoints: routes.length * (isFullRun ? 25 : 1), pages: isFullRun ? 1_500 : 30 };

const document = inject('openApi');

type Caller = { cookie: string; tokens: readonly string[]; address: string };
const credentials = ['cookie', 'bearer', 'token'] as const;
type Case = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
  caller: Caller;
  /** The session in its cookie or as a bearer token, or an API token. */
  credential: (typeof credentials)[number];
};

/** One API token is limited to 600 requests a minute; 429 is a documented response, but tests nothing else. */
const tokensPerCaller = 10;

const anonymous: Caller = { cookie: '', tokens: [], address: '10.9.8.7' };
let admin = anonymous;
let buyer = anonymous;
let seller = anonymous;
/** Cursors that lists have returned. */
const cursors: string[] = [];

beforeAll(async () => {
  const signedIn = async (email: string) => {
    const client = openClient();
    expect((await client.signIn('user', email)).status).toBe(200);
    return client;
  };
  const [staff, owner, vendor] = [
    await makeAccount({ role: 'Admin' }),
    await makeAccount(),
    await makeAccount({ role: 'Seller' }),
  ];
  await fundWallet(owner.userId, 10_000);
  const siteId = await makeSite(vendor.userId, 1_000);
  await makeSite(vendor.userId, 2_000, { dr: 12.5, da: null, traffic: 100 });
  await createOrder(owner, { kind: 'custom', projectId: await makeProject(owner), siteIds: [siteId] });
  const people = [staff, owner, vendor];
  const clients = await Promise.all(people.map(({ email }) => signedIn(email)));
  const tokens = await Promise.all(people.map(makeTokens));
  [admin = anonymous, buyer = anonymous, seller = anonymous] = clients.map((client, index) => ({
    cookie: client.cookie(),
    tokens: tokens[index] ?? [],
    address: client.address,
  }));
  for (const sort of ['price', 'da', 'dr', 'traffic', 'name', 'added']) {
    const { headers } = (await clients[1]?.get(`/api/guest-posts?limit=1&sort=${sort}`)) ?? { headers: new Headers() };
    cursors.push(headers.get('x-next-cursor') ?? '');
  }
});

async function makeTokens(actor: Actor): Promise<string[]> {
  const made = Array.from({ length: tokensPerCaller }, () => makeToken(actor.userId, listGrantableScopes(actor)));
  return (await Promise.all(made)).map(({ secret }) => secret);
}

const latin1 = (value: string) => value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
const anyText = fc.oneof(
  fc.constantFrom(...hostileTexts.filter((value) => value.length < 2_000)),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('', ' ', '%', '\\', '[]', '{}', 'null', 'true', 'x'.repeat(300)),
);
const anyNumber = fc.oneof(
  fc.constantFrom('0', '-0', '-1', '1.5', '1e308', '1e999', '-1e-400', '0x10', '1_000', '٣', 'NaN', 'Infinity'),
  fc.constantFrom(
    '2147483647',
    '2147483648',
    '9007199254740993',
    '9223372036854775808',
    '10000001',
    '99999999999999999999',
  ),
  fc.integer().map(String),
  fc.double().map(String),
);
const anyDay = fc.oneof(
  fc.constantFrom(
    '0000-01-01',
    '0001-01-01',
    '9999-12-31',
    '2024-02-30',
    '-000001-01-01',
    '10000-01-01',
    '294277-01-01',
  ),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
);
const odd = fc.constantFrom(...hostileValues, 1.5, 'x', '\0', '\ud800', Number.MAX_SAFE_INTEGER);
/** A token of base64url JSON like a cursor: a returned one with one element replaced. */
const anyCursor = fc
  .record({ of: fc.nat(5), at: fc.nat(5), value: fc.oneof(odd, fc.double(), fc.bigInt().map(Number)), cut: fc.nat(9) })
  .map(({ of, at, value, cut }) => {
    const parts: unknown[] = JSON.parse(Buffer.from(cursors[of] || 'W10', 'base64url').toString());
    parts[at] = value;
    const token = Buffer.from(JSON.stringify(parts)).toString('base64url');
    return cut === 0 ? token.slice(0, -2) : token;
  });

type Schema = { enum?: unknown[]; anyOf?: Schema[]; minimum?: number; maximum?: number; maxLength?: number };
const schemaShape: z.ZodType<Schema> = z.lazy(() =>
  z.looseObject({
    enum: z.array(z.unknown()).optional(),
    anyOf: z.array(schemaShape).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    maxLength: z.number().optional(),
  }),
);

/** Values that a parameter's schema accepts, values at and beyond its bounds, and any others. */
function valuesFor({ name, schema }: { name: string; schema: unknown }): fc.Arbitrary<string> {
  const bounds = (one: Schema): string[] => [
    ...(one.enum ?? []).map(String),
    ...[one.minimum, one.maximum].flatMap((end) =>
      end === undefined ? [] : [end - 1, end, end + 1, end + 0.5].map(String),
    ),
    ...(one.maxLength === undefined ? [] : ['x'.repeat(one.maxLength), 'é'.repeat(one.maxLength + 1)]),
    ...(one.anyOf ?? []).flatMap(bounds),
  ];
  const known = bounds(schemaShape.parse(schema));
  return fc.oneof(
    ...(known.length > 0 ? [{ weight: 4, arbitrary: fc.constantFrom(...known) }] : []),
    { weight: name === 'cursor' ? 8 : 1, arbitrary: anyCursor },
    { weight: /^(from|to)$/.test(name) ? 4 : 1, arbitrary: anyDay },
    { weight: 3, arbitrary: anyNumber },
    { weight: 3, arbitrary: anyText },
  );
}

/** URLSearchParams replaces an unpaired surrogate, which cannot be sent. */
const queryOf = (names: { name: string; schema: unknown }[]) =>
  names.length === 0
    ? fc.constant('')
    : fc
        .array(
          fc.constantFrom(...names).chain((one) => valuesFor(one).map((value): [string, string] => [one.name, value])),
          { maxLength: 5 },
        )
        .map((pairs) => (pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`));

const headerNames = [
  ...[
    'accept',
    'accept-language',
    'accept-encoding',
    'if-none-match',
    'if-modified-since',
    'range',
    'cookie',
    'referer',
  ],
  ...['authorization', 'idempotency-key', 'x-request-id', 'user-agent', 'x-forwarded-for', 'x-forwarded-proto'],
  ...[
    'x-forwarded-host',
    'forwarded',
    'x-real-ip',
    'origin',
    'sec-fetch-site',
    'sec-fetch-mode',
    'x-http-method-override',
  ],
  ...['next-action', 'rsc', 'next-router-state-tree', 'next-router-prefetch', 'next-url', 'x-middleware-subrequest'],
  ...['x-nextjs-data', 'x-prerender-revalidate', 'content-encoding', 'content-language', 'expect', 'stripe-signature'],
  ...[
    'paypal-transmission-id',
    'paypal-transmission-time',
    'wechatpay-signature',
    'wechatpay-timestamp',
    'traceparent',
  ],
];
const anyHeader = fc.tuple(
  fc.constantFrom(...headerNames),
  fc.oneof(
    anyText,
    anyNumber,
    fc.constantFrom(
      '*',
      'gzip, br;q=2',
      'bytes=0-,5-1',
      'W/"',
      '1',
      'Bearer x',
      'Bearer a.b.c',
      '::1',
      '[::]:x, ,',
      ', ,',
    ),
    fc.constantFrom(
      '%5B%22%22%5D',
      '{"id":null}',
      'linkmarket.session=x; a',
      'Thu, 99 Foo 0000',
      'https',
      'null',
      'utf-8',
    ),
  ),
);
const anyHeaders = fc
  .array(anyHeader, { maxLength: 3 })
  .map((pairs) => Object.fromEntries(pairs.map(([name, value]) => [name, latin1(value).trim()])));

const contentTypes = [
  ...[
    'application/json',
    'application/json; charset=utf-16',
    'application/json;',
    'text/plain',
    'application/xml',
    '',
    ';',
  ],
  ...[
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/mixed; boundary=b',
  ],
  ...['multipart/form-data; boundary=""', 'multipart/form-data; boundary=b', "multipart/form-data; boundary*=utf-8''b"],
  ...[
    'multipart/form-data; boundary=b; boundary=c',
    `multipart/form-data; boundary=${'b'.repeat(300)}`,
    'multipart/form-data;;',
  ],
  ...['multipart/form-data; charset=x; boundary=b', 'application/octet-stream', '*/*', '\xff', 'a'.repeat(500)],
];
const part = (head: string) => `--b\r\n${head}\r\n\r\nName,URL\r\na,b\r\n--b--\r\n`;
const arbitraryBody = fc.oneof(
  fc.constantFrom('', '{}', '[]', 'null', '1', '"x"', '{"a":', '\0', '--b', '--b--', 'a=b&a[]=c', '{"__proto__":{}}'),
  fc.constantFrom(
    part('Content-Disposition: form-data; name="file"; filename="a.csv"'),
    part('Content-Disposition: form-data; name="file"; filename*=utf-8\'\'%ff'),
    part('Content-Disposition: form-data; name=file; filename="=?x?="\r\nContent-Transfer-Encoding: base64'),
    part('Content-Disposition: form-data'),
    part('Content-Disposition: x'),
    part('\xff: \xfe'),
    part(''),
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
);
const oddMethods = ['TRACE', 'PROPFIND', 'HEAD', 'OPTIONS', 'PATCH', 'PUT', 'SEARCH', 'QUERY'];

function callersOf(access: unknown): fc.Arbitrary<Caller> {
  const admitted = access === 'seller' ? 2 : isOpenToUsers(access) ? 1 : 0;
  return fc
    .oneof({ weight: 6, arbitrary: fc.constant(admitted) }, { weight: 1, arbitrary: fc.nat(3) })
    .map((which) => [admin, buyer, seller, anonymous][which] ?? anonymous);
}

const declared = (method: string, path: string) => {
  const operations: Record<string, { parameters: { name: string; in: string; schema: unknown }[] } | undefined> =
    document.paths[path.replace('...nextauth', 'nextauth').replace(/\[(\w+)\]/g, '{$1}')] ?? {};
  return (operations[method.toLowerCase()]?.parameters ?? []).filter((one) => one.in === 'query');
};

const apiCases = routes.map(({ method, path, access }) => {
  const extra = [
    { name: '__proto__', schema: {} },
    { name: 'a[b]', schema: {} },
  ];
  // A sign-out would end a session that the other cases need.
  const caller = path.endsWith('/logout') ? fc.constant(anonymous) : callersOf(access);
  return fc
    .record({
      query: queryOf([...declared(method, path), ...extra]),
      headers: anyHeaders,
      type: fc.constantFrom(...contentTypes),
      body: arbitraryBody,
      caller,
      credential: fc.constantFrom(...credentials),
      method: fc.oneof(
        { weight: 12, arbitrary: fc.constant(method) },
        { weight: 1, arbitrary: fc.constantFrom(...oddMethods) },
      ),
    })
    .map(({ query, headers, type, body, ...rest }): Case => {
      const isRead = rest.method === 'GET' || rest.method === 'HEAD';
      return {
        ...rest,
        path: examplePath(path) + query,
        headers: isRead ? headers : { 'content-type': latin1(type), ...headers },
        body: isRead ? null : latin1(body),
      };
    });
});

const pages = [...portalPages, ...publicPages.map((path) => ({ path, access: 'public' as const }))];
const pageCase = fc.constantFrom(...pages).chain(({ path, access }) =>
  fc
    .record({
      query: queryOf(pageParameters.map((name) => ({ name, schema: {} }))),
      headers: anyHeaders,
      caller: path.startsWith('/user') ? fc.constant(1).map(() => buyer) : callersOf(access),
      credential: fc.constant('cookie' as const),
      method: fc.oneof(
        { weight: 12, arbitrary: fc.constant('GET') },
        { weight: 1, arbitrary: fc.constantFrom(...oddMethods) },
      ),
    })
    .map(({ query, ...rest }): Case => ({ ...rest, path: examplePath(path) + query, body: null })),
);

/**
 * Node responds 431 to a request head above its limit and closes the connection before it has read the rest, so that
 * the client may see a reset instead of the response. Such a request never reaches the application.
 */
const reachesApplication = ({ path, headers, caller }: Case) =>
  path.length + caller.cookie.length + JSON.stringify(headers).length + 1_000 < maxHeaderSize;

type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

/** The body is compressed when a random Accept-Encoding asks for it. */
function decoded(answer: IncomingMessage): NodeJS.ReadableStream {
  const encoding = answer.headers['content-encoding'];
  if (encoding === 'gzip') return answer.pipe(createGunzip());
  if (encoding === 'br') return answer.pipe(createBrotliDecompress());
  return encoding === 'deflate' ? answer.pipe(createInflate()) : answer;
}

let tokenRequests = 0;

/** The headers of a case's credential. The tokens of a caller take turns. */
function credentialsOf({ caller: { cookie, tokens }, credential }: Case): Record<string, string> {
  if (cookie === '') return {};
  if (credential === 'cookie') return { cookie };
  const session = cookie.slice(cookie.indexOf('=') + 1);
  return { authorization: `Bearer ${credential === 'token' ? tokens[tokenRequests++ % tokens.length] : session}` };
}

function send(sending: Case): Promise<Answer> {
  const { method, path, headers, body, caller } = sending;
  return new Promise((resolve, reject) => {
    const sent = request(
      `${appUrl}${path}`,
      {
        method,
        agent: false,
        headers: {
          'x-forwarded-for': caller.address,
          origin: new URL(appUrl).origin,
          ...credentialsOf(sending),
          ...headers,
          ...(body !== null && { 'content-length': Buffer.byteLength(body, 'latin1') }),
        },
        timeout: 30_000,
      },
      (answer) => {
        // A response to HEAD has the headers of a body and none.
        text(method === 'HEAD' ? answer : decoded(answer)).then(
          (read) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: read }),
          reject,
        );
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('no response in 30 seconds')));
    sent.on('error', reject);
    sent.end(body === null ? undefined : Buffer.from(body, 'latin1'));
  });
}

const quoted = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`;

/** The case as a command, without the caller's cookie. */
function curl({ method, path, headers, body }: Case): string {
  const given = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return [
    'curl -i -X',
    method,
    ...given,
    ...(body ? [`--data-binary ${quoted(body)}`] : []),
    quoted(appUrl + path),
  ].join(' ');
}

/** Why a response is a server failure; null otherwise. */
function complaint({ status, body }: Answer): string | null {
  const isRefused = status === 502 || status === 503 ? /"(error|message)":"/.test(body) : false;
  if (status >= 500 && !isRefused) return `${status} ${body.slice(0, 300)}`;
  const failed = failedParts(body);
  return failed.length > 0 ? `${status} with failed parts ${failed.join()}` : null;
}

/** Why the response of an endpoint is not the documented one; null otherwise. */
async function deviation(
  { method, path, headers: sent }: Case,
  { status, headers, body }: Answer,
): Promise<string | null> {
  // Node.js itself refuses an unknown expectation, and Next.js a method without a handler.
  if (status === 417 || (status === 405 && oddMethods.includes(method))) return null;
  // Next.js itself redirects a request of its router that lacks the router's parameter.
  if (status === 307 && sent.rsc !== undefined) return null;
  const type = headers['content-type'];
  const isEmpty = body === '' || status === 204 || status === 304;
  const response = new Response(isEmpty ? null : body, { status, headers: type ? { 'content-type': type } : {} });
  const { pathname } = new URL(path, appUrl);
  return checkResponse(method, pathname, response).then(
    () => null,
    (thrown: unknown) => String(thrown),
  );
}

/** An equal number of cases of each kind, in turns. */
function sampleEvenly(kinds: fc.Arbitrary<Case>[], count: number): Case[] {
  const numRuns = Math.ceil(count / kinds.length);
  const samples = kinds.map((cases, index) =>
    fc.sample(cases.filter(reachesApplication), { seed: testSeed + index, numRuns }),
  );
  return Array.from({ length: numRuns }, (_, turn) => samples.flatMap((sample) => sample[turn] ?? [])).flat();
}

async function fuzz(kinds: fc.Arbitrary<Case>[], count: number, isDocumented: boolean): Promise<string[]> {
  const failures: string[] = [];
  const waiting = sampleEvenly(kinds, count);
  process.stdout.write(`${waiting.length} requests\n`);
  const judge = async (one: Case, answer: Answer) =>
    complaint(answer) ?? (isDocumented ? await deviation(one, answer) : null);
  const work = async () => {
    for (let next = waiting.shift(); next && failures.length < 20; next = waiting.shift()) {
      const one = next;
      const reason = await send(one).then(
        (answer) => judge(one, answer),
        (thrown: unknown) => String(thrown),
      );
      if (reason) failures.push(`${reason}\n  ${curl(one)}`);
    }
  };
  await Promise.all([work(), work()]);
  return failures;
}

describe('random requests', () => {
  it(
    'to all addresses never return 500, and only what is documented',
    async () => {
      expect(await fuzz(apiCases, caseCount.endpoints, true), `TEST_SEED=${testSeed}`).toEqual([]);
    },
    60_000 + caseCount.endpoints * 500,
  );

  it(
    'to all pages never return 500',
    async () => {
      expect(await fuzz([pageCase], caseCount.pages, false), `TEST_SEED=${testSeed}`).toEqual([]);
    },
    60_000 + caseCount.pages * 500,
  );
});
