import { appendFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { inject } from 'vitest';
import type { ApiResponse, Operation } from '@/lib/platform/openapi/operation';

/**
 * Validates every response of the app against its OpenAPI document, in all tests: an undocumented status, media type or
 * shape fails the call.
 */
const document = inject('openApi');
const seenResponsesFile = inject('seenResponsesFile');
const seen = new Set<string>();

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'document', components: document.components });

const templates = Object.entries(document.paths)
  .map(([path, operations]) => ({
    path,
    operations,
    // The value of {nextauth} may contain slashes.
    pattern: new RegExp(
      `^${path
        .replace(/\./g, '\\.')
        .replace('{nextauth}', '.+')
        .replace(/\{\w+\}/g, '[^/]+')}$`,
    ),
  }))
  .sort((a, b) => (a.path.match(/\{/g)?.length ?? 0) - (b.path.match(/\{/g)?.length ?? 0));

const realFetch = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const response = await realFetch(input, init);
  const url = new URL(input instanceof Request ? input.url : input);
  if (isOurs(url)) await checkResponse(init?.method ?? 'GET', url.pathname, response.clone());
  return response;
};

/** Every instance of the app has the same host name; the gateway and the test storage use 127.0.0.1. */
function isOurs({ hostname }: URL): boolean {
  return hostname === new URL(process.env.TEST_APP_URL ?? '').hostname;
}

/** @throws Error when the document does not describe the response */
export async function checkResponse(asked: string, path: string, answer: Response): Promise<void> {
  const method = asked.toUpperCase() === 'HEAD' ? 'get' : asked.toLowerCase();
  const found = templates.find(({ pattern }) => pattern.test(path));
  const received = `${method.toUpperCase()} ${path} answered ${answer.status}`;
  if (!found) {
    const hasResponse = path.startsWith('/api/') && answer.status !== 403 && answer.status !== 404;
    if (hasResponse && !isUndecodable(path))
      throw new Error(`${received}, and the OpenAPI document has no such address.`);
    return;
  }
  const operation = Object.entries<Operation | undefined>(found.operations).find(([name]) => name === method)?.[1];
  if (!operation) {
    // Next.js itself responds to OPTIONS.
    if (answer.status !== 405 && method !== 'options')
      throw new Error(`${received}, and the OpenAPI document has no such operation.`);
    return;
  }
  if (isUndecodable(path)) return;
  const documented = operation.responses[answer.status];
  if (!documented) throw new Error(`${received}, which the OpenAPI document does not say.\n${await answer.text()}`);
  if (asked.toUpperCase() !== 'HEAD') await checkBody(received, documented, answer);
  record(`${method.toUpperCase()} ${found.path} ${answer.status}`);
}

async function checkBody(received: string, { content }: ApiResponse, answer: Response): Promise<void> {
  const mediaType = answer.headers.get('content-type')?.split(';')[0] ?? '';
  if (!content) {
    if (mediaType !== '' && answer.status === 204)
      throw new Error(`${received} with ${mediaType}, documented is no body.`);
    return;
  }
  const documented = content[mediaType];
  if (!documented) {
    throw new Error(
      `${received} with ${mediaType || 'no media type'}; documented: ${Object.keys(content).join(', ')}.`,
    );
  }
  if (mediaType !== 'application/json') return;
  const validate = validatorOf(JSON.stringify(documented.schema));
  if (!validate(await answer.json()))
    throw new Error(`${received} otherwise than documented: ${ajv.errorsText(validate.errors)}`);
}

/** By schema: compiling one takes longer than a request. */
const validators = new Map<string, ValidateFunction>();

function validatorOf(schema: string): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  const validate = ajv.compile(JSON.parse(schema.replaceAll('"#/', '"document#/')));
  validators.set(schema, validate);
  return validate;
}

function record(line: string): void {
  if (seen.has(line)) return;
  seen.add(line);
  appendFileSync(seenResponsesFile, `${line}\n`);
}

/** A path with invalid percent-encoding reaches no operation (lib/platform/http/guard-requests.ts). */
function isUndecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return false;
  } catch {
    return true;
  }
}
