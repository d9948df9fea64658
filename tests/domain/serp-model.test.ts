import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { apiKeys } from '@/db/schema/api-keys';
import type { Actor } from '@/lib/access/actor';
import { measureWidth } from '@/lib/serp/font-metrics';
import { serpDevices, serpLines } from '@/lib/serp/limits';
import { suggestSnippet } from '@/lib/serp/suggest-snippet';
import { createApiKey } from '@/lib/settings/api-keys';
import { startGateway } from '@/sandbox/start';
import { makeUser } from '@/tests/factories/make-user';

const page = {
  domain: 'example.com',
  slug: 'spades',
  currentTitle: 'Spades',
  currentDescription: 'Tools for gardens.',
  intent: 'buy spades',
};
const byRules = { title: 'Buy spades | Example', source: 'rules' };

/** The sandbox gateway behind a proxy that can replace its responses. */
const line = { answer: null as null | { status: number; body: string }, asked: 0 };
let close: (() => Promise<void>) | undefined;
let admin: Actor;

beforeAll(async () => {
  const gateway = await startGateway({ port: 0, appUrl: 'http://127.0.0.1:9', stripeWebhookSecret: 'whsec_unused' });
  const server = createServer(async (request, response) => {
    line.asked += 1;
    if (line.answer) {
      response.writeHead(line.answer.status, { 'content-type': 'application/json' }).end(line.answer.body);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const answer = await fetch(`${gateway.url}${request.url}`, {
      method: 'POST',
      headers: { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' },
      body: Buffer.concat(chunks),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('No port');
  // Before the environment is parsed.
  process.env.OPENAI_BASE_URL = `http://127.0.0.1:${address.port}/v1`;
  admin = await makeUser('Admin');
  close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await gateway.close();
  };
});
afterAll(() => close?.());

beforeEach(async () => {
  Object.assign(line, { answer: null, asked: 0 });
  await db().delete(apiKeys);
});

const storeKey = (key: string) => createApiKey(admin, { name: 'Texts', provider: 'OpenAI', key });
const completion = (content: string) => ({
  status: 200,
  body: JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }),
});

describe('a suggestion', () => {
  it('is made by rules without a request while no key is stored', async () => {
    expect(await suggestSnippet(admin, page)).toMatchObject(byRules);
    expect(line.asked).toBe(0);
  });

  it('comes from the model with a key', async () => {
    await storeKey('sk-test-0123456789');
    expect(await suggestSnippet(admin, page)).toEqual({
      title: 'buy spades (sandbox model)',
      description: 'buy spades, as the sandbox model puts it. Tools for gardens.',
      source: 'model',
    });
  });

  it("fits the model's texts to the limits", async () => {
    await storeKey('sk-test-0123456789');
    const long = 'A very wide promise of many words '.repeat(20);
    line.answer = completion(JSON.stringify({ title: long, description: `${long}\n\u0000${long}` }));
    const found = await suggestSnippet(admin, page);
    expect(found.source).toBe('model');
    for (const part of ['title', 'description'] as const) {
      expect(found[part]).toMatch(/ …$/);
      for (const device of serpDevices) {
        expect(measureWidth(found[part], serpLines[device][part])).toBeLessThanOrEqual(serpLines[device][part].limitPx);
      }
    }
  });

  it.each([
    ['refuses the key', { status: 401, body: '{"error":{"message":"no"}}' }],
    ['is down', { status: 503, body: 'Busy' }],
    ['returns invalid JSON', completion('Here is your title!')],
    ['returns other fields', completion('{"headline":"x"}')],
    ['returns blank texts', completion('{"title":" ","description":"x"}')],
    ['returns no choice', { status: 200, body: '{"choices":[]}' }],
    ['redirects elsewhere', { status: 307, body: '' }],
  ])('is made by rules when the model %s', async (_, answer) => {
    await storeKey('sk-test-0123456789');
    line.answer = answer;
    expect(await suggestSnippet(admin, page)).toMatchObject(byRules);
    expect(line.asked).toBe(1);
  });

  it('is made by rules when the key is not an OpenAI key', async () => {
    await storeKey('not a key at all');
    expect(await suggestSnippet(admin, page)).toMatchObject(byRules);
  });

  it('is rate-limited per user', async () => {
    const person = await makeUser();
    for (let time = 0; time < 60; time += 1) await suggestSnippet(person, page);
    await expect(suggestSnippet(person, page)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await suggestSnippet(admin, page)).toMatchObject(byRules);
  });
});
