import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { Actor } from '@/lib/access/actor';
import { maxTokens } from '@/lib/developers/tokens/tokens';
import { makeAccount } from '@/tests/factories/make-account';
import { makeToken } from '@/tests/factories/make-token';
import { openClient } from '@/tests/setup/http-client';

const created = z.looseObject({ id: z.string(), token: z.string().startsWith('lm_') });

let buyer: Actor;
const client = openClient();
beforeAll(async () => {
  buyer = await makeAccount();
  await client.signIn('user', buyer.email);
});

const create = () => client.post('/api/tokens', { name: 'Reports', scopes: ['read'] });
const revoke = (id: string) => client.request(`/api/tokens/${id}`, { method: 'DELETE' });

it('a token works until it is revoked, and is refused above the maximum', async () => {
  const made: string[] = [];
  let answer = await create();
  for (; answer.status === 201 && made.length <= maxTokens; answer = await create())
    made.push(created.parse(answer.body).id);
  expect(answer).toMatchObject({ status: 409, body: { error: expect.stringContaining(`${maxTokens}`) } });
  for (const id of made.slice(1)) expect((await revoke(id)).status).toBe(200);
  const { id, token } = created.parse((await create()).body);
  const asToken = () => openClient().get('/api/wallet/balance', { authorization: `Bearer ${token}` });
  expect((await asToken()).status).toBe(200);
  expect((await revoke(id)).status).toBe(200);
  expect((await asToken()).status).toBe(401);
  expect((await revoke(id)).status).toBe(404);
});

it('a token without a scope gets 403, and an unknown MCP method 404', async () => {
  const { headers } = await makeToken(buyer.userId, ['webhooks']);
  expect((await openClient().get('/api/user/auth/me', headers)).status).toBe(403);
  const reader = await makeToken(buyer.userId, ['read']);
  const version = '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/unknown', params: { _meta } };
  const answer = await openClient().post('/api/mcp', message, {
    ...reader.headers,
    ...{ 'mcp-protocol-version': version, 'mcp-method': message.method },
  });
  expect(answer).toMatchObject({ status: 404, body: { error: { code: -32601 } } });
});
