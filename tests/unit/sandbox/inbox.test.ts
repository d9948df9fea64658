import { beforeEach, expect, test } from 'vitest';
import type { RunningGateway } from '@/sandbox/start';
import { openGateway } from './harness';

let gateway: RunningGateway;

beforeEach(async () => {
  gateway = await openGateway('http://127.0.0.1:9');
});

const letter = {
  from: 'LinkMarket <hello@example.com>',
  to: 'ann@example.com',
  subject: 'Hi',
  html: '<p>Hi</p>',
  text: 'Hi',
};

/** The request that Resend's SDK sends. */
async function send(mail: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${gateway.url}/emails`, {
    method: 'POST',
    headers: { authorization: 'Bearer re_test_123', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(mail),
  });
  return { status: response.status, body: await response.json() };
}

async function mailsTo(to: string): Promise<unknown> {
  return (await fetch(`${gateway.url}/emails?to=${encodeURIComponent(to)}`)).json();
}

test('stores one mail per idempotency key', async () => {
  const headers = { 'idempotency-key': 'mail-1' };
  const first = await send(letter, headers);
  expect(first).toMatchObject({ status: 200, body: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
  expect(await send(letter, headers)).toEqual(first);
  expect(await send({ ...letter, subject: 'Other' }, headers)).toMatchObject({
    status: 409,
    body: { name: 'invalid_idempotent_request' },
  });
  expect(await mailsTo('ann@example.com')).toHaveLength(1);
});

test("returns errors in Resend's format", async () => {
  expect(await send(letter, { authorization: '' })).toMatchObject({ status: 401, body: { name: 'missing_api_key' } });
  expect(await send({ ...letter, to: 'not-an-email' })).toMatchObject({
    status: 422,
    body: { name: 'validation_error' },
  });
  expect(await send({ ...letter, html: undefined, text: undefined })).toMatchObject({ status: 422 });
});

test('shows the inbox and a mail, whose HTML is sandboxed', async () => {
  const { body } = await send({
    ...letter,
    subject: '<script>alert(1)</script>',
    html: '<a href="http://x/">"go"</a>',
  });
  const list = await (await fetch(`${gateway.url}/inbox?to=ann@example.com`)).text();
  expect(list).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  const page = await (await fetch(`${gateway.url}/inbox/${body.id}`)).text();
  expect(page).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
  expect(page).toContain('&lt;a href=&quot;http://x/&quot;&gt;&quot;go&quot;&lt;/a&gt;');
  expect(page).not.toContain('<script');
  expect((await fetch(`${gateway.url}/inbox/none`)).status).toBe(404);
});
