import { beforeAll, describe, expect, inject, it } from 'vitest';
import { isOpenToUsers } from '@/lib/access/account-roles';
import { newId } from '@/lib/ids';
import { maxOrderBytes } from '@/lib/orders/order/schemas';
import { maxPublishBytes } from '@/lib/orders/posts/contract';
import type { AccessRule } from '@/lib/platform/http/route-metadata';
import type { Operation } from '@/lib/platform/openapi/operation';
import { defaultAnchorPlan } from '@/lib/settings/anchor-plan';
import { makeUser } from '@/tests/factories/make-user';
import { type Answer, appUrl, openClient } from '@/tests/setup/http-client';
import { openSession } from '@/tests/setup/open-session';
import { sendBody } from '@/tests/setup/send-body';

/**
 * Provokes the errors that follow from each operation's declaration in the OpenAPI document, except those of a missing
 * session or permission, which access-matrix.test.ts provokes.
 * tests/setup/documented-responses.ts validates each response, as for every API test.
 */
type Called = { method: string; path: string; operation: Operation };
const operations: Called[] = Object.entries(inject('openApi').paths).flatMap(([path, byMethod]) =>
  Object.entries(byMethod).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);
const answering = (status: number) => operations.filter(({ operation }) => operation.responses[status] !== undefined);
/** Whether the body is JSON only; an endpoint that accepts files as well finds the record first. */
const jsonBody = ({ operation }: Called) =>
  operation.requestBody?.content['application/json'] !== undefined &&
  operation.requestBody.content['multipart/form-data'] === undefined;

const clients: Record<string, ReturnType<typeof openClient>> = {};
beforeAll(async () => {
  for (const [who, role] of Object.entries({ admin: 'Admin', seller: 'Seller', buyer: 'User' } as const))
    clients[who] = await openSession((await makeUser(role)).userId);
});

/** The access rule of an operation. */
function admitted(access: AccessRule): ReturnType<typeof openClient> {
  const who = access === 'seller' ? 'seller' : isOpenToUsers(access) ? 'buyer' : 'admin';
  const client = clients[who];
  if (!client) throw new Error(`There is no client for ${who}.`);
  return client;
}

/** The path with an unknown id in place of each parameter. */
function filled(path: string): string {
  return path
    .replace('{provider}', 'stripe')
    .replace('{nextauth}', 'csrf')
    .replace('/logo/{id}', `/logo/${'0'.repeat(32)}`)
    .replace(/\{\w+\}/g, '2147483646');
}

function call({ method, path, operation }: Called, extra = '', headers = {}, body = '{}'): Promise<Answer> {
  const client = admitted(operation['x-access']);
  if (method === 'GET') return client.get(filled(path) + extra, headers);
  return sendBody(client, filled(path) + extra, body, { method, headers });
}

/** A valid project; other records have fields of these names with other types. */
const project = {
  ...{ domain: 'example.com', description: 'A shop', niche: 'General', postType: 'Guest posts', country: 'Canada' },
  ...{ targetUrl: 'https://example.com/', keywords: 'spades' },
};

describe('every documented error is returned', () => {
  it.each(answering(307))('$method $path redirects to the sign-in page without a session', async ({ method, path }) => {
    expect((await openClient().request(filled(path), { method })).status).toBe(307);
  });

  it.each(answering(403).filter(({ method }) => method !== 'GET'))(
    '$method $path rejects cross-site requests',
    async (called) => {
      const headers = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
      expect((await call(called, '', headers)).status).toBe(403);
    },
  );

  it.each(operations.filter(jsonBody))('$method $path rejects invalid JSON', async (called) => {
    expect((await call(called, '', {}, '{"')).status).toBe(400);
  });

  it.each(operations.filter(jsonBody))('$method $path rejects a body that is too large', async (called) => {
    const large = [
      'POST /api/orders',
      'POST /api/quotes',
      'PUT /api/user/carts/{id}/items',
      'PUT /api/user/projects/{id}/anchor-plan',
      'POST /api/user/projects/{id}/reports',
      'POST /api/user/requests/{id}/approve',
      'POST /api/user/requests/{id}/decline',
    ];
    const name = `${called.method} ${called.path}`;
    const articleBytes = name === 'POST /api/seller/orders/{id}/publish' ? maxPublishBytes : 256 * 1024;
    const text = 'x'.repeat(large.includes(name) ? maxOrderBytes : articleBytes);
    expect((await call(called, '', {}, JSON.stringify(text))).status).toBe(413);
  });

  it.each(
    operations.filter((called) => !jsonBody(called) && called.operation.parameters.some((one) => one.in === 'query')),
  )('$method $path rejects a query that no text can hold', async (called) => {
    expect((await call(called, '?q=a%00b')).status).toBe(400);
  });

  it.each(
    operations.filter((called) => called.path.includes('{') && !jsonBody(called) && called.operation.responses[400]),
  )('$method $path rejects a name that no text can hold', async (called) => {
    const path = called.path.replace(/\{\w+\}/g, 'a%00b');
    expect((await call({ ...called, path })).status).toBe(400);
  });

  it.each(operations.filter(({ operation }) => operation.requestBody?.content['multipart/form-data']))(
    '$method $path rejects a form without a file',
    async (called) => {
      expect([400, 404]).toContain((await call(called)).status);
    },
  );

  it.each(operations.filter(({ operation }) => operation.parameters.some(({ name }) => name === 'X-Account')))(
    '$method $path returns 404 for an account of others',
    async (called) => {
      expect((await call(called, '', { 'x-account': newId() })).status).toBe(404);
    },
  );

  it.each(answering(404).filter(({ path, operation }) => path.includes('{') && operation['x-access'] !== 'public'))(
    '$method $path returns 404 for an unknown record',
    async (called) => {
      const valid = {
        ...{ role: 'User', roleName: 'User', permName: 'ManageOrders', name: 'A name' },
        ...{ action: 'accept', buyerPercent: 50, note: 'A note', reason: 'A reason', text: 'A text', grant: true },
        ...{ days: 3, url: 'https://example.com/article', expectedTotalCents: 1, eventId: newId() },
        ...(called.path.includes('/projects') && project),
        ...(called.path.endsWith('/budget') && { monthlyCents: null }),
        ...(called.path.endsWith('/members') && {
          ...{ email: 'a@example.com', role: 'buyer', projectIds: 'all', monthlyLimitCents: null },
        }),
        ...(called.path.endsWith('/members/{userId}') && { role: 'buyer' }),
        ...(called.path.endsWith('/anchor-plan') && { plan: defaultAnchorPlan, brandWords: [], pool: [] }),
        ...(called.path.endsWith('/reports') && {
          ...{ from: '2026-01-01', to: '2026-01-31', prices: 'none', brand: { name: 'Agency', color: '#2563eb' } },
        }),
        ...(called.path.includes('/payouts') && { version: 0 }),
        ...(called.path.endsWith('/wordpress') && { publish: 'draft' }),
        ...(called.path.endsWith('/guarantee') && { optionId: 'an-option' }),
        ...(called.path.endsWith('/reprice') && { cents: 100 }),
        ...(called.path.endsWith('/return') && { outcome: 'sent_back' }),
        ...(called.path.endsWith('/options') && { options: [] }),
        ...(called.path.endsWith('/publish') && { title: 'A title', content: 'A text' }),
        ...(called.path.includes('/carts') && { items: [], version: 1 }),
      };
      const isUpload = called.operation.requestBody?.content['multipart/form-data'] !== undefined;
      if (isUpload) {
        const form = new FormData();
        form.append('file', new File(['A text.'], 'text.txt'));
        const { method } = called;
        const answer = await sendBody(admitted(called.operation['x-access']), filled(called.path), form, { method });
        expect(answer.status).toBe(404);
      } else {
        expect((await call(called, '', {}, JSON.stringify(valid))).status).toBe(404);
      }
    },
  );

  it('the webhooks return the errors that each provider expects', async () => {
    const signed = operations.filter(({ operation }) => operation['x-proof'] === 'signature');
    expect(signed).toHaveLength(3);
    for (const { path } of signed) {
      const answer = await fetch(`${appUrl}${path}`, { method: 'POST', body: 'x'.repeat(1_100_000) });
      expect(answer.status).toBe(413);
    }
  });
});
