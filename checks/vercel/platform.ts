import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer, IncomingMessage, request as requestUpstream, type ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import type { Lifetime } from '@/scripts/process/lifetime';
import { projectRoot } from '@/scripts/process/root';
import type { BuildOutput, Route, VercelFunction } from './build-output';

/** vercel.com/docs/functions/limitations: larger bodies are answered by the platform. */
const maxBodyBytes = 4_500_000;

const started = z.object({ port: z.number() });

export type Platform = {
  /** The functions that answered, with the number of their requests. */
  answered: Map<string, number>;
};

/**
 * Serves a build as Vercel's router does: redirects and headers of its routes, the middleware, static files, and the
 * functions, each in a process of its own that is started at its first request. It has the parts of the Build Output
 * API that a build of this app uses.
 * @param env the variables of the deployment
 */
export async function startPlatform(
  lifetime: Lifetime,
  output: BuildOutput,
  { port, env, say }: { port: number; env: Record<string, string>; say: (line: string) => void },
): Promise<Platform> {
  const ports = new Map<VercelFunction, Promise<number>>();
  const answered = new Map<string, number>();
  const portOf = (one: VercelFunction) => {
    const known = ports.get(one) ?? startFunction(lifetime, one, env, say);
    ports.set(one, known);
    answered.set(one.name, (answered.get(one.name) ?? 0) + 1);
    return known;
  };
  const filesystem = output.routes.findIndex(({ handle }) => handle === 'filesystem');
  const rewrite = output.routes.findIndex(({ handle }) => handle === 'rewrite');
  const [before, after] = [output.routes.slice(0, filesystem), output.routes.slice(rewrite + 1)];

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    if (body.length > maxBodyBytes) {
      response.writeHead(413, { 'content-type': 'text/plain' }).end('FUNCTION_PAYLOAD_TOO_LARGE');
      return;
    }
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    let path = decodeURI(url.pathname);
    // The address of the connection, which the platform writes itself.
    request.headers['x-forwarded-for'] = '203.0.113.7';
    request.headers['x-forwarded-proto'] = 'http';
    for (const route of before) {
      const match = matchRoute(route, path, request);
      if (!match) continue;
      if (route.middlewarePath) {
        const middleware = output.findFunction(route.middlewarePath);
        if (!middleware) throw new Error(`The build has no function ${route.middlewarePath}.`);
        if (await runMiddleware(await portOf(middleware), request, response)) return;
        continue;
      }
      for (const [name, value] of Object.entries(route.headers ?? {})) response.setHeader(name, fill(value, match));
      if (route.dest) path = fill(route.dest, match);
      if (route.continue) continue;
      response.writeHead(route.status ?? 200).end();
      return;
    }
    const file = output.findFile(path);
    if (file) {
      response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'application/octet-stream');
      createReadStream(file).pipe(response);
      return;
    }
    const found = findTarget(output, after, path, request);
    if (!found) {
      response.writeHead(404).end('NOT_FOUND');
      return;
    }
    for (const [name, value] of found.parameters) url.searchParams.append(name, value);
    request.headers['x-matched-path'] = found.path;
    await proxy(await portOf(found.target), request, body, url.pathname + url.search, response, found.status);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((thrown: unknown) => {
      say(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
      if (!response.headersSent) response.statusCode = 502;
      response.end();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  await lifetime.own(Promise.resolve(server), (running) => {
    running.close();
    running.closeAllConnections();
  });
  return { answered };
}

/** Returns a function for a path: its own, that of a route with parameters, or that of unknown paths. */
function findTarget(output: BuildOutput, routes: readonly Route[], path: string, request: IncomingMessage) {
  const own = output.findFunction(path === '/' ? '/index' : path);
  if (own) return { target: own, path, parameters: new URLSearchParams(), status: undefined };
  for (const route of routes) {
    const match = route.dest === undefined ? null : matchRoute(route, path, request);
    if (!match || route.dest === undefined) continue;
    const [dest = '', query = ''] = fill(route.dest, match).split('?');
    const target = output.findFunction(dest);
    if (target) return { target, path: dest, parameters: new URLSearchParams(query), status: route.status };
  }
  return undefined;
}

/** Matches the path and the conditions of a route. Conditions on cookies, hosts and queries do not occur in this app. */
function matchRoute({ src, has = [], missing = [] }: Route, path: string, request: IncomingMessage) {
  const match = src === undefined ? null : new RegExp(`^(?:${src.replace(/^\^|\$$/g, '')})$`).exec(path);
  if (!match) return null;
  const isMet = ({ type, key = '', value }: NonNullable<Route['has']>[number]) => {
    if (type !== 'header') throw new Error(`Routes with a condition on ${type} are not supported by this check.`);
    const given = request.headers[key.toLowerCase()];
    return given !== undefined && (value === undefined || new RegExp(`^(?:${value})$`).test(String(given)));
  };
  return has.every(isMet) && !missing.some(isMet) ? match : null;
}

/** Replaces `$1` and `$name` by the groups of a match. */
function fill(text: string, match: RegExpExecArray): string {
  return text.replace(/\$(\w+)/g, (_, name: string) => match.groups?.[name] ?? match[Number(name)] ?? '');
}

/**
 * Calls the middleware (next/dist/server/web/adapter.js): with `x-middleware-next` the request goes on with its headers.
 * @returns whether the middleware's response was sent
 */
async function runMiddleware(port: number, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const answer = await fetchFrom(port, request, undefined, request.url ?? '/');
  const { headers } = answer;
  const goesOn = headers['x-middleware-next'] === '1';
  for (const name of String(headers['x-middleware-override-headers'] ?? '').split(',')) {
    const value = headers[`x-middleware-request-${name}`];
    if (name && value !== undefined) request.headers[name] = value;
  }
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !name.startsWith('x-middleware-') && !isOfConnection(name))
      response.setHeader(name, value);
  }
  if (goesOn) {
    answer.resume();
    return false;
  }
  response.writeHead(answer.statusCode ?? 500);
  answer.pipe(response);
  return true;
}

async function proxy(
  port: number,
  request: IncomingMessage,
  body: Buffer,
  url: string,
  response: ServerResponse,
  status?: number,
): Promise<void> {
  const answer = await fetchFrom(port, request, body, url);
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined && !isOfConnection(name)) response.setHeader(name, value);
  }
  response.writeHead(status ?? answer.statusCode ?? 500);
  answer.pipe(response);
}

const isOfConnection = (name: string): boolean =>
  ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'].includes(name);

async function fetchFrom(port: number, { method, headers }: IncomingMessage, body: Buffer | undefined, path: string) {
  const upstream = requestUpstream({ port, host: '127.0.0.1', method, path, headers, agent: false });
  upstream.end(body);
  const [answer] = await once(upstream, 'response');
  return z.instanceof(IncomingMessage).parse(answer);
}

/** Starts the process of a function. @returns its port */
async function startFunction(
  lifetime: Lifetime,
  { name, handler, useWebApi }: VercelFunction,
  env: Record<string, string>,
  say: (line: string) => void,
): Promise<number> {
  const child = fork(join(projectRoot, 'checks/vercel/function-host.mjs'), [handler, useWebApi ? 'web' : 'node'], {
    cwd: dirname(handler),
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    silent: true,
  });
  await lifetime.own(Promise.resolve(child), async (running) => {
    if (running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', (line) => say(`${name} | ${line}`));
  }
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The function ${name} ended with ${code} before it listened.`);
  });
  const [message] = await Promise.race([once(child, 'message'), ended]);
  return started.parse(message).port;
}
