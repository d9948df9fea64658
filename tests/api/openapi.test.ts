import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { isOpenToUsers } from '@/lib/access/account-roles';
import { permissions } from '@/lib/access/permissions';
import { makeAccount } from '@/tests/factories/make-account';
import { makeStaff } from '@/tests/factories/make-staff';
import { openClient } from '@/tests/setup/http-client';
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

  it('contains exactly the routes of the snapshot, without the fallback and the pages of clients', () => {
    const served = routes.map(({ method, path }) => `${method} ${path.replace('[...', '[')}`);
    expect([...documented].sort()).toEqual(
      served.filter((route) => !/ \/(api\/\[rest\]$|reports\/|approve\/)/.test(route)).sort(),
    );
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

  it("passes Redocly's strict rules", async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        'operation-tag-defined': 'error',
        'operation-singular-tag': 'error',
        'parameter-description': 'error',
        'no-required-schema-properties-undefined': 'error',
        // The tests' own installation.
        'no-server-example.com': 'off',
      },
    });
    const source = JSON.stringify(document);
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    const lines = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
    // Public requests without any input, which have no way to be wrong.
    const cannotFail = [
      ...['/api/health', '/api/health/live', '/.well-known/linkmarket-keys'],
      ...['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/api/mcp'],
    ].map(
      (path) =>
        `operation-4xx-response: Operation must have at least one \`4XX\` response. #/paths/${path.replaceAll('/', '~1')}/get/responses`,
    );
    expect(lines.sort()).toEqual(cannotFail.sort());
  });
});

describe('GET /api/openapi.json describes what the caller may use', () => {
  const served = z.object({
    tags: z.array(z.object({ name: z.string() })),
    paths: z.record(z.string(), z.record(z.string(), z.object({ 'x-access': z.unknown(), tags: z.array(z.string()) }))),
    webhooks: z.record(z.string(), z.object({ post: z.object({ 'x-audiences': z.array(z.string()) }) })),
    components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
  });
  const audiencesOf = ({ webhooks }: z.infer<typeof served>) =>
    new Set(Object.values(webhooks).flatMap(({ post }) => post['x-audiences']));
  const stranger = openClient();
  const clients = { buyer: openClient(), seller: openClient(), admin: openClient(), desk: openClient() };

  beforeAll(async () => {
    await clients.buyer.signIn('user', (await makeAccount()).email);
    await clients.seller.signIn('seller', (await makeAccount({ role: 'Seller' })).email);
    await clients.admin.signIn('admin', (await makeAccount({ role: 'Admin' })).email);
    await clients.desk.signIn('admin', (await makeStaff('ManageOrders')).email);
  });

  const read = async (client: ReturnType<typeof openClient>, headers?: Record<string, string>) => {
    const answer = await client.get('/api/openapi.json', headers);
    expect(answer.status).toBe(200);
    // No cache may give one caller's document to another.
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    return served.parse(answer.body);
  };
  const accessOf = ({ paths }: z.infer<typeof served>) =>
    new Set(Object.values(paths).flatMap((path) => Object.values(path).flatMap((one) => [one['x-access']].flat())));

  it('to an admin: all of it', async () => {
    const answer = await clients.admin.get('/api/openapi.json');
    expect(answer.body).toMatchObject({ paths: document.paths, components: { schemas: document.components.schemas } });
    expect(Object.keys(served.parse(answer.body).paths)).toEqual(Object.keys(document.paths));
    expect(audiencesOf(served.parse(answer.body))).toContain('installation');
  });

  it('to strangers, buyers and sellers: the part for buyers and sellers', async () => {
    const part = await read(stranger);
    const isOfOthers = (rule: unknown) => rule !== 'public' && rule !== 'seller' && !isOpenToUsers(rule);
    expect([...accessOf(part)].filter(isOfOthers)).toEqual([]);
    expect(Object.keys(part.paths).filter((path) => /^\/(api\/admin|dashboard)\//.test(path))).toEqual([]);
    expect(Object.keys(part.paths)).toEqual(expect.arrayContaining(['/api/orders', '/api/seller/orders']));
    expect(part.paths['/api/guest-posts']).not.toHaveProperty('post');
    expect(part.paths).not.toHaveProperty('/api/payments/stripe/webhook');
    expect(await read(clients.buyer)).toEqual(part);
    expect(audiencesOf(part)).toEqual(new Set(['buyer', 'seller']));
    expect(await read(clients.seller)).toEqual(part);
    expect(await read(stranger, { authorization: 'Bearer unknown' })).toEqual(part);
  });

  it('to other staff: also what their permissions admit', async () => {
    const part = await read(clients.desk);
    expect(part.paths).toHaveProperty(['/api/admin/orders/{id}', 'patch']);
    expect(part.paths).not.toHaveProperty('/api/admin/payouts');
    // An operation for any one of several permissions names them all.
    const foreign = [...accessOf(part)].filter((one) => permissions.some((permission) => permission === one));
    expect(foreign).toEqual(expect.arrayContaining(['ManageOrders']));
    expect(foreign).not.toContain('ManageBackups');
  });

  it('without schemas and tags that the part does not use', async () => {
    const { body } = await stranger.get('/api/openapi.json');
    const part = served.parse(body);
    const text = JSON.stringify(body);
    const unused = Object.keys(part.components.schemas).filter(
      (name) => !text.includes(`"#/components/schemas/${name}"`),
    );
    expect(unused).toEqual([]);
    const referred = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name);
    expect(Object.keys(part.components.schemas)).toEqual(expect.arrayContaining([...new Set(referred)]));
    const used = Object.values(part.paths).flatMap((path) => Object.values(path).flatMap(({ tags }) => tags));
    expect(new Set(part.tags.map(({ name }) => name))).toEqual(new Set(used));
  });
});
