import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { paths } from '@/app/api/openapi.json/paths';
import { declaredEvents } from '@/lib/events/types';
import { createOpenApiDocument } from '@/lib/platform/openapi/document';
import { runCommand } from './process/lifetime';

/**
 * `npm run client:generate [-- --from=<URL or file>] [-- --out=<folder>]`: writes a typed client from an OpenAPI
 * document, by default that of this source code with every address. A URL of an installation describes what its caller
 * may use; LINKMARKET_TOKEN identifies the caller. The client needs the package openapi-fetch.
 */
runCommand(async (lifetime) => {
  const { values } = parseArgs({
    options: { from: { type: 'string' }, out: { type: 'string', default: 'linkmarket-client' } },
  });
  const document = values.from === undefined ? describeSource() : await readDocument(values.from);
  const folder = resolve(values.out);
  mkdirSync(folder, { recursive: true });
  const types = await openapiTypescript(document, { alphabetize: true });
  writeFileSync(join(folder, 'schema.d.ts'), astToString(types));
  writeFileSync(join(folder, 'client.ts'), client);
  process.stdout.write(`The client is in ${folder}.\n`);
  await lifetime.end(0);
});

/** Parses a copy, because the generator resolves references in place. */
function describeSource(): OpenAPI3 {
  return parseDocument(
    JSON.stringify(
      createOpenApiDocument(paths, {
        serverUrl: 'http://localhost:3000',
        cookieName: 'linkmarket.session',
        webhooks: declaredEvents(),
      }),
    ),
  );
}

async function readDocument(from: string): Promise<OpenAPI3> {
  if (!/^https?:\/\//.test(from)) return parseDocument(readFileSync(from, 'utf8'));
  const token = process.env.LINKMARKET_TOKEN;
  const response = await fetch(from, { headers: token ? { Authorization: `Bearer ${token}` } : {} });
  if (!response.ok) throw new Error(`${from} answered ${response.status}.`);
  return parseDocument(await response.text());
}

function parseDocument(text: string): OpenAPI3 {
  const document: OpenAPI3 = JSON.parse(text);
  if (!document.openapi?.startsWith('3.')) throw new Error('This is not an OpenAPI 3 document.');
  return document;
}

const client = `import createClient, { type ClientOptions } from 'openapi-fetch';
import type { paths } from './schema';

export type { components, operations, paths } from './schema';

/**
 * Creates a client of the API.
 * @param baseUrl the origin of the installation, without a trailing slash
 * @param token an API token
 */
export function createLinkMarketClient({ token, ...options }: ClientOptions & { baseUrl: string; token?: string | undefined }) {
  const client = createClient<paths>(options);
  if (token) {
    client.use({
      onRequest({ request }) {
        request.headers.set('Authorization', \`Bearer \${token}\`);
        return request;
      },
    });
  }
  return client;
}
`;
