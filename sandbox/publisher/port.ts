import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isIP } from 'node:net';
import { z } from 'zod';
import { canParseUrl } from '@/sandbox/http/can-parse-url';
import { type HttpResponse, json, type Reply } from '@/sandbox/http/reply';
import { type GatewayRequest, readFields } from '@/sandbox/http/request';
import { findRoute, type Handler, type Route } from '@/sandbox/http/router';
import { respondWithPage } from './changed-page';
import { readOwnName } from './names';
import type { Publisher } from './publisher';
import { type PublishedPage, pageChanges } from './records';
import { answerAsSlack, slackHost } from './slack';

const loopbackHost = /^(127\.0\.0\.1|\[::1\]|localhost)(:\d+)?$/i;

/** What websites answer besides their pages; null for a path that they do not know. */
export type Websites = {
  respond(request: GatewayRequest, host: string): Promise<Reply | null>;
  controls: readonly Route[];
};

/** A page of a website at the address of the port itself, where a browser finds it. */
const browserPath = /^\/websites\/([^/]+)(\/.*)$/;

/**
 * Creates the port of the publisher. The Host header decides: a name of the publisher receives its pages, and the
 * address of the port itself has the controls, which are therefore under no website. Browsers, which do not ask the name
 * server of the sandbox, find the websites at /websites/<name>/.
 */
export function publisherPort(publisher: Publisher, websites: Websites): Handler {
  const controls = [...controlRoutes(publisher), ...websites.controls];
  return async (request) => {
    const { host = '' } = request.headers;
    const name = readOwnName(host);
    if (name !== null) return respondAsWebsite(publisher, websites, request, name);
    if (!loopbackHost.test(host)) return plain(421, 'The publisher has no website of this name.');
    const [, website = '', path = ''] = browserPath.exec(request.url.pathname) ?? [];
    const named = readOwnName(website);
    if (named !== null) {
      const url = new URL(path + request.url.search, request.url);
      return respondAsWebsite(publisher, websites, { ...request, url }, named);
    }
    const found = findRoute(controls, request.method, request.url.pathname);
    if (!found) return json(404, { error: { message: 'Not found' } });
    try {
      return await found.handler({ ...request, params: found.params });
    } catch (error) {
      if (error instanceof z.ZodError) return json(400, { error: { message: z.prettifyError(error) } });
      throw error;
    }
  };
}

const recordedHeaders = [
  'user-agent',
  'accept',
  'accept-encoding',
  'accept-language',
  'referer',
  'cookie',
  'authorization',
  'proxy-authorization',
  'content-type',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
] as const;

async function respondAsWebsite(
  publisher: Publisher,
  websites: Websites,
  request: GatewayRequest,
  host: string,
): Promise<Reply> {
  const { method, url, headers, body } = request;
  const address = `http://${host}${url.pathname}${url.search}`;
  const known = recordedHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
  publisher.record({
    at: new Date().toISOString(),
    method,
    host,
    url: address,
    headers: Object.fromEntries(known),
    ...(method === 'POST' && { body }),
  });
  const page = publisher.find(address);
  const answer = page ? null : await websites.respond(request, host);
  if (answer) return answer;
  // A page receives webhooks at its address, and answers as it does to readers.
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
    return plain(405, 'Method not allowed', { allow: 'GET, HEAD, POST' });
  if (page) return respondWithPage(page);
  if (host === slackHost) return plain(...answerAsSlack(url.pathname, body));
  return plain(404, 'Not found');
}

const plain = (status: number, body: string, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
  body,
});

const pageUrl = z
  .url({ protocol: /^https?$/ })
  .refine((text) => canParseUrl(text) && readOwnName(new URL(text).hostname) !== null, {
    error: 'must be under example.com, example.net or example.org',
  });

const isValid = (check: () => void): boolean => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};
const headerValue = z.string().refine((value) => isValid(() => validateHeaderValue('x', value)), {
  error: 'is not a valid value of a header',
});
const headerName = z.string().refine((name) => isValid(() => validateHeaderName(name)), {
  error: 'is not a valid name of a header',
});

/** A page to publish. `redirect` is sent as it is, also a relative or invalid one. */
const newPage = z
  .strictObject({
    url: pageUrl,
    html: z.string().default(''),
    /** 200, or 301 for a redirect. */
    status: z.number().int().min(200).max(599).optional(),
    headers: z
      .record(
        headerName.transform((name) => name.toLowerCase()),
        headerValue,
      )
      .default({}),
    redirect: headerValue.nullable().default(null),
    delayMs: z.number().int().min(0).max(600_000).default(0),
    change: z.enum(pageChanges).nullable().default(null),
  })
  .transform(
    ({ status, ...page }): PublishedPage => ({
      ...page,
      status: status ?? (page.redirect === null ? 200 : 301),
      publishedAt: new Date().toISOString(),
    }),
  );

const ownName = z.string().transform((text, context) => {
  const name = readOwnName(text);
  if (name !== null) return name;
  context.addIssue({ code: 'custom', message: 'must be under example.com, example.net or example.org' });
  return z.NEVER;
});

const newName = z.strictObject({
  name: ownName,
  // An answer of the name server has at most 512 bytes.
  addresses: z
    .array(z.string().refine((text) => isIP(text) !== 0 && !text.includes('%'), { error: 'must be an IP address' }))
    .max(12),
});

/** TXT records by name. An answer of the name server has at most 512 bytes. */
const newTexts = z.strictObject({
  txt: z.record(
    ownName,
    z.array(z.string()).refine((values) => Buffer.byteLength(values.join('')) + 16 * values.length <= 400, {
      error: 'is too long for an answer of the name server',
    }),
  ),
});
const newRecords = z.union([newTexts, newName]);

/**
 * Returns the last part of an address. The articles of deliveries are published unless they exist: one that ends in
 * `not-found` is not, and one that ends in the name of a change is served with it, so that each result can be tried.
 */
const lastPart = (url: string): string => new URL(url).pathname.split('/').at(-1) ?? '';

/** Returns the controls for tests and the app. */
function controlRoutes(publisher: Publisher): readonly Route[] {
  const parameter = (request: GatewayRequest, name: string) => request.url.searchParams.get(name) ?? undefined;
  return [
    ['GET', '/control/pages', () => json(200, publisher.pages())],
    [
      'PUT',
      '/control/pages',
      async (request) => {
        const page = newPage.parse(readFields(request));
        const isKnown = publisher.find(page.url) !== undefined;
        const isNew = request.headers['if-none-match'] === '*';
        if (isNew && isKnown) return json(412, { error: { message: `${page.url} is already published` } });
        if (isNew && lastPart(page.url) === 'not-found')
          return json(412, { error: { message: `${page.url} stays unpublished` } });
        const example = isNew ? pageChanges.find((change) => change === lastPart(page.url)) : undefined;
        await publisher.publish({ ...page, change: page.change ?? example ?? null });
        return json(isKnown ? 200 : 201, page);
      },
    ],
    [
      'DELETE',
      '/control/pages',
      async (request) => {
        const url = pageUrl.optional().parse(parameter(request, 'url'));
        return json(200, { deleted: await publisher.remove(url) });
      },
    ],
    ['GET', '/control/requests', (request) => json(200, publisher.requests(parameter(request, 'host')))],
    [
      'DELETE',
      '/control/requests',
      () => {
        publisher.forgetRequests();
        return json(200, []);
      },
    ],
    [
      'GET',
      '/control/resolve',
      (request) => {
        const name = parameter(request, 'name') ?? '';
        const addresses = publisher.resolve(name);
        return addresses ? json(200, { addresses }) : json(404, { error: { message: `No name ${name}` } });
      },
    ],
    [
      'PUT',
      '/control/names',
      async (request) => {
        const records = newRecords.parse(readFields(request));
        if ('txt' in records) await publisher.setTexts(records.txt);
        else await publisher.setAddresses(records.name, records.addresses);
        return json(200, records);
      },
    ],
    [
      'DELETE',
      '/control/names',
      async (request) => {
        await publisher.resetAddresses(ownName.optional().parse(parameter(request, 'name')));
        return json(200, {});
      },
    ],
  ];
}
