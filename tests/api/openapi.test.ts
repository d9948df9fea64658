import { readdirSync, readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, inject, it } from 'vitest';
import { makeAccount } from '../factories/make-account';
import { openClient } from '../setup/http-client';
import { contract } from './contract';
import { specification } from './specification';

const document = inject('openApi');

/** "GET /api/orders/[id]", the form used in the lists of the other API tests. */
const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, '[$1]')}`),
);
const listed = contract
  .map(({ method, path }) => `${method} ${path.replace('...nextauth', 'nextauth')}`)
  // It responds to unknown paths only.
  .filter((address) => !address.includes('[...rest]'));

const routeFiles = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('/route.ts'))
  .map((file) => `app/${file}`);

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
  });

  it('contains every endpoint of the specification', () => {
    expect(specification.filter((address) => !documented.includes(address))).toEqual([]);
  });

  it('contains exactly the listed endpoints with their access', () => {
    expect([...documented].sort()).toEqual([...listed].sort());
  });

  it('contains every route file, so that nothing undocumented is served', () => {
    const files = routeFiles.map((file) =>
      file.replace(/^app|\/\([^/]+\)|\/route\.ts$/g, '').replace(/\[(?:\.\.\.)?(\w+)\]/g, '{$1}'),
    );
    expect(files.filter((path) => path !== '/api/{rest}').sort()).toEqual(Object.keys(document.paths).sort());
  });

  it('contains every method that a route file exports', () => {
    const methods = routeFiles.flatMap((file) => {
      const exported = [
        ...readFileSync(file, 'utf8').matchAll(/^export const (GET|POST|PUT|PATCH|DELETE|OPTIONS|HEAD)\b/gm),
      ];
      const path = file.replace(/^app|\/\([^/]+\)|\/route\.ts$/g, '').replace(/\[\.\.\./g, '[');
      return path === '/api/[rest]' ? [] : exported.map(([, method]) => `${method} ${path}`);
    });
    expect(methods.sort()).toEqual([...documented].sort());
  });

  it('has unique operation ids', () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('declares every path parameter', () => {
    const wrong = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.values(operations).flatMap(({ parameters }) => {
        const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => `{${name}}`);
        return inPath.sort().join() === (path.match(/\{\w+\}/g) ?? []).sort().join() ? [] : [path];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('is served unchanged to staff only', async () => {
    const [staff, buyer] = [openClient(), openClient()];
    await staff.signIn('admin', (await makeAccount({ role: 'Admin' })).email);
    await buyer.signIn('user', (await makeAccount()).email);
    const served = await staff.get('/api/openapi.json');
    expect(served.status).toBe(200);
    expect(served.body).toMatchObject({ paths: document.paths, components: { schemas: document.components.schemas } });
    expect((await buyer.get('/api/openapi.json')).status).toBe(403);
    expect((await openClient().get('/api/openapi.json')).status).toBe(401);
  });
});
