import { expect, it } from 'vitest';
import { createLink } from '@/lib/orders/requests/client-link';
import { joinAgency, makeAgency, makeRequest } from '@/tests/factories/make-request';
import { openClient } from '@/tests/setup/http-client';
import { openSession } from '@/tests/setup/open-session';
import { sendBody } from '@/tests/setup/send-body';

const form = { 'content-type': 'application/x-www-form-urlencoded' };

async function makeLink() {
  const agency = await makeAgency(100_000);
  const request = await makeRequest(agency, agency.owner, [12_345, 6_789]);
  const { url } = await createLink(agency.owner, request.id, { prices: 'fixed', fixedCents: 20_000 });
  return { agency, request, path: new URL(url).pathname };
}

it('serves the page behind a link without scripts, sessions, referrers and caches, and robots change nothing', async () => {
  const { path, request } = await makeLink();
  const session = await openSession((await makeAgency(0)).owner.userId);
  for (const client of [openClient(), session]) {
    const { status, headers, body } = await client.get(path);
    expect(status).toBe(200);
    expect(body).not.toContain('<script');
    expect(String(body).match(/(?:src|href)="(?!data:)[^"]*"/g)).toBeNull();
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.getSetCookie()).toEqual([]);
  }
  const client = openClient();
  expect((await client.request(path, { method: 'HEAD' })).status).toBe(200);
  const prefetch = { 'sec-purpose': 'prefetch', 'user-agent': 'mail-scanner' };
  expect((await client.get(path, prefetch)).status).toBe(200);
  const foreign = { ...form, origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
  expect((await sendBody(client, path, 'x=1', { headers: foreign })).status).toBe(403);

  const [first = '', second = ''] = request.lineIds;
  const answer = `choice.${first}=approve&choice.${second}=decline`;
  // As a browser without Sec-Fetch-Site sends the form of a page without a referrer.
  const sent = await sendBody(client, path, answer, { headers: { ...form, origin: 'null' } });
  expect([sent.status, sent.headers.get('location')]).toEqual([303, path]);
  expect((await client.get(path)).body).toContain('1 of 2 links were approved');
});

it('answers JSON once, and says why not', async () => {
  const { path, request, agency } = await makeLink();
  const client = openClient();
  const lines = request.lineIds.map((id) => ({ id, approved: true, comment: 'Good' }));
  expect((await client.post(path, { lines: lines.slice(1) })).status).toBe(422);
  expect((await client.post(path, { lines: [{ id: 'x' }] })).status).toBe(400);
  expect((await sendBody(client, path, '{"')).status).toBe(400);
  expect(await client.post(path, { lines })).toMatchObject({ status: 200, body: { state: 'ordered' } });
  expect((await client.post(path, { lines })).status).toBe(409);
  const unknown = `/approve/${'A'.repeat(22)}`;
  expect((await client.get(unknown)).status).toBe(404);
  expect((await client.post(unknown, { lines })).status).toBe(404);

  const other = await makeRequest(agency, agency.owner, [1_000]);
  const owner = await openSession(agency.owner.userId);
  const inAgency = { 'x-account': agency.id };
  const created = await owner.post(`/api/user/requests/${other.id}/link`, {}, inAgency);
  expect(created.status).toBe(201);
  const link = new URL(String(Object(created.body).url)).pathname;
  expect((await client.get(link)).status).toBe(200);
  const revoked = await owner.request(`/api/user/requests/${other.id}/link`, { method: 'DELETE', headers: inAgency });
  expect(revoked.status).toBe(200);
  expect((await client.get(link)).status).toBe(410);
  expect((await client.post(link, { lines: [] })).status).toBe(410);
  const statuses: number[] = [];
  for (let count = 0; count < 31; count += 1) statuses.push((await client.get(link)).status);
  expect(statuses.at(-1)).toBe(429);
});

it('shows a member with the role Client the requests that were sent, with the prices of the agency, and no more', async () => {
  const { agency, request } = await makeLink();
  const member = await joinAgency(agency, 'client', [agency.projectId]);
  const client = await openSession(member.userId);
  const headers = { 'x-account': agency.id };
  const list = await client.get('/api/user/requests', headers);
  expect(list.status).toBe(200);
  expect(list.body).toMatchObject([{ id: request.id, totalCents: 40_000, reasons: [], link: null }]);
  const text = JSON.stringify([list.body, (await client.get(`/api/user/requests/${request.id}`, headers)).body]);
  for (const ours of [12_345, 6_789, 19_134, 4_242]) expect(text).not.toMatch(new RegExp(`\\b${ours}\\b`));
  for (const path of ['/api/orders', '/api/user/projects', '/api/wallet/balance', '/api/user/documents'])
    expect((await client.get(path, headers)).status).toBe(403);
  expect((await client.post(`/api/user/requests/${request.id}/link`, {}, headers)).status).toBe(403);
  // As many comments as an order has lines, each of the longest: refused for the lines, not for the size.
  const comments = Object.fromEntries(Array.from({ length: 100 }, (_, line) => [`line-${line}`, '語'.repeat(1_000)]));
  const answer = await client.post(`/api/user/requests/${request.id}/approve`, { comments }, headers);
  expect(answer.status).toBe(422);
  const declined = await client.post(`/api/user/requests/${request.id}/decline`, {}, headers);
  expect(declined).toMatchObject({ status: 200, body: { state: 'declined' } });
  const home = await (await openSession(member.userId, { accountId: agency.id })).get('/user');
  expect(home.headers.get('location') ?? /NEXT_REDIRECT;\w+;([^;]+)/.exec(String(home.body))?.[1]).toBe(
    '/user/requests',
  );
});
