import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, inject, it } from 'vitest';
import { makeAccount } from '../factories/make-account';
import { openClient } from '../setup/http-client';
import { routes } from './routes';

const document = inject('openApi');

/** "GET /api/orders/[id]", as in the snapshot. */
const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, '[$1]')}`),
);
describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
  });

  it('contains exactly the routes of the snapshot, without the fallback', () => {
    const served = routes.map(({ method, path }) => `${method} ${path.replace('[...', '[')}`);
    expect([...documented].sort()).toEqual(served.filter((route) => !route.endsWith('/api/[rest]')).sort());
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
