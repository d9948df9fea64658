import type { NextRequest } from 'next/server';
import type { RouteContext, RouteDeclaration } from '@/lib/platform/http/route';
import { version } from '@/package.json';
import type { JsonSchema } from './json-schema';
import { describeOperation, type Operation } from './operation';
import { describeTags, type Tag } from './tags';
import { describeWebhook, type WebhookDeclaration, type WebhookItem } from './webhooks';

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

/** A handler created by `route()`. */
export type RouteHandler = ((request: NextRequest, context: RouteContext) => Promise<Response>) & {
  declaration: RouteDeclaration;
};

/** The handler of several paths that differ in their last word, `[operation]`, created by `joinRoutes()`. */
export type JoinedHandler = ((request: NextRequest, context: RouteContext) => Promise<Response>) & {
  operations: readonly { word: string; handler: RouteHandler }[];
};

/** Route modules by path, e.g. '/api/orders/[id]'. */
export type RouteModules = Readonly<Record<string, Partial<Record<Method, RouteHandler>>>>;

/** Lists the handlers by path, those of joined routes by the path of each. */
export function listPaths(
  modules: Readonly<Record<string, Partial<Record<Method, RouteHandler | JoinedHandler>>>>,
): RouteModules {
  const paths: Record<string, Partial<Record<Method, RouteHandler>>> = {};
  const add = (path: string, method: Method, handler: RouteHandler) => {
    paths[path] = { ...paths[path], [method]: handler };
  };
  for (const [path, handlers] of Object.entries(modules)) {
    for (const method of methods) {
      const handler = handlers[method];
      if (!handler) continue;
      if ('declaration' in handler) add(path, method, handler);
      else for (const { word, handler: one } of handler.operations) add(path.replace('[operation]', word), method, one);
    }
  }
  return paths;
}

export type OpenApiDocument = {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } };
  servers: { url: string }[];
  tags: Tag[];
  paths: Record<string, Partial<Record<Lowercase<Method>, Operation>>>;
  /** What the server sends to the endpoints of users, by event type. */
  webhooks: Record<string, WebhookItem>;
  components: {
    schemas: Record<string, JsonSchema>;
    securitySchemes: Record<string, Record<string, string>>;
  };
};

/**
 * Creates the OpenAPI 3.1 document from the declarations of routes and events.
 * @param serverUrl the base URL, without a trailing slash
 */
export function createOpenApiDocument(
  served: RouteModules,
  {
    serverUrl,
    cookieName,
    webhooks,
  }: { serverUrl: string; cookieName: string; webhooks: Readonly<Record<string, WebhookDeclaration>> },
): OpenApiDocument {
  const schemas: Record<string, JsonSchema> = {};
  const paths: OpenApiDocument['paths'] = {};
  for (const [folder, handlers] of Object.entries(served)) {
    const path = folder.replace(/\[(?:\.\.\.)?(\w+)\]/g, '{$1}');
    paths[path] = {};
    for (const method of methods) {
      const handler = handlers[method];
      if (!handler) continue;
      paths[path][lowercase(method)] = describeOperation(method, path, handler.declaration, schemas);
    }
  }
  const used = Object.values(paths).flatMap((operations) => Object.values(operations).flatMap(({ tags }) => tags));
  return {
    openapi: '3.1.0',
    info: {
      title: 'LinkMarket',
      version,
      description:
        'Prices are in major units unless a name ends in Cents or _cents. Times are ISO 8601 in UTC. Lists are arrays; X-Total-Count contains the total over all pages. Changes from a browser must come from a page of this site.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: describeTags(new Set(used)),
    paths,
    webhooks: Object.fromEntries(
      Object.entries(webhooks).map(([type, declared]) => [type, describeWebhook(type, declared, schemas)]),
    ),
    components: {
      schemas,
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: cookieName },
        bearer: { type: 'http', scheme: 'bearer', description: "The session cookie's value as a token." },
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'lm_…',
          description:
            'An API token of a user, created on the Security page of a portal. Each operation names the scope that it needs in `x-scope`; an empty list means that it accepts no token. RateLimit and RateLimit-Policy say how many requests are left.',
        },
        cronSecret: { type: 'http', scheme: 'bearer', description: 'CRON_SECRET.' },
        metricsToken: { type: 'http', scheme: 'bearer', description: 'METRICS_TOKEN.' },
      },
    },
  };
}

const lowercase = <Name extends string>(name: Name) => name.toLowerCase() as Lowercase<Name>;

export type ListedOperation = { method: Method; path: string; operation: Operation };

/** Lists the operations in the order of the document; with a text, those that match all of its words. */
export function listOperations(document: OpenApiDocument, text = ''): ListedOperation[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const all = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([name, operation]) => {
      const method = methods.find((one) => one.toLowerCase() === name);
      return method ? [{ method, path, operation }] : [];
    }),
  );
  return all.filter(({ method, path, operation }) => {
    const { summary, description = '' } = operation;
    const searchText = [method, path, summary, description, String(operation['x-access'])].join(' ').toLowerCase();
    return words.every((word) => searchText.includes(word));
  });
}

/**
 * Returns the part of a document that contains the accepted operations, with the schemas, tags and security schemes
 * that they and the webhooks use. A path without an accepted operation is left out.
 */
export function selectOperations(
  document: OpenApiDocument,
  isIncluded: (listed: ListedOperation) => boolean,
): OpenApiDocument {
  const listed = listOperations(document).filter(isIncluded);
  const paths: OpenApiDocument['paths'] = {};
  for (const { method, path, operation } of listed) {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  const { schemas, securitySchemes } = document.components;
  const usedSchemes = new Set(listed.flatMap(({ operation }) => operation.security.flatMap(Object.keys)));
  return {
    ...document,
    tags: describeTags(new Set(listed.flatMap(({ operation }) => operation.tags))),
    paths,
    components: {
      schemas: pick(schemas, collectSchemas([paths, document.webhooks], schemas)),
      securitySchemes: pick(securitySchemes, usedSchemes),
    },
  };
}

/** Lists the names of the schemas that a value refers to, directly or through other schemas. */
function collectSchemas(value: unknown, schemas: OpenApiDocument['components']['schemas']): Set<string> {
  const referred = (part: unknown) =>
    [...JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name);
  const names = new Set(referred(value));
  // Iterating over a set includes elements added during the iteration.
  for (const name of names) for (const inner of referred(schemas[name] ?? {})) names.add(inner);
  return names;
}

/** Picks the entries with these names, in their original order. */
function pick<Value>(from: Record<string, Value>, names: ReadonlySet<string>): Record<string, Value> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.has(name)));
}
