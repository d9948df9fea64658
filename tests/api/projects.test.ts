import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newId } from '@/lib/ids';
import { makeAccount } from '@/tests/factories/make-account';
import { openClient } from '@/tests/setup/http-client';

const aProject = z.looseObject({ id: z.string(), domain: z.string() });
const list = z.array(aProject);

const project = {
  domain: 'shop.example.com',
  description: 'Garden tools',
  niche: 'Beekeeping',
  postType: 'Guest posts',
  targetUrl: 'https://shop.example.com/spades',
  keywords: 'spade, rake',
  country: 'USA',
};

let owner = openClient();
let stranger = openClient();

beforeAll(async () => {
  [owner, stranger] = await Promise.all(
    [0, 1].map(async () => {
      const client = openClient();
      await client.signIn('user', (await makeAccount()).email);
      return client;
    }),
  ).then(([one, other]) => [one ?? openClient(), other ?? openClient()]);
});

const create = async () => aProject.parse((await owner.post('/api/user/projects', project)).body);
const domainsOf = async (client: typeof owner) =>
  list.parse((await client.get('/api/user/projects')).body).map(({ domain }) => domain);

it('a project and its links are read', async () => {
  const { id } = await create();
  expect(await owner.get(`/api/user/projects/${id}`)).toMatchObject({ status: 200, body: { id } });
  expect((await owner.get(`/api/user/projects/${id}/links`)).status).toBe(200);
});

describe('/api/user/projects', () => {
  it("creates projects and lists the caller's own", async () => {
    const answer = await owner.post('/api/user/projects', { ...project, userId: 'other-user', id: 'mine' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      ...project,
      id: expect.stringMatching(/^[0-9a-z]{26}$/),
      createdAt: expect.any(String),
      hidesLinked: false,
      version: 1,
    });
    expect(await domainsOf(owner)).toContain('shop.example.com');
    expect(await domainsOf(stranger)).toEqual([]);
  });

  it('returns a page of them with the total', async () => {
    const client = openClient();
    await client.signIn('user', (await makeAccount()).email);
    for (const domain of ['one.example.com', 'two.example.com', 'three.example.com'])
      await client.post('/api/user/projects', { ...project, domain });
    const answer = await client.get('/api/user/projects?limit=2&offset=1');
    expect(list.parse(answer.body).map(({ domain }) => domain)).toEqual(['two.example.com', 'one.example.com']);
    expect(answer.headers.get('x-total-count')).toBe('3');
    expect((await client.get('/api/user/projects?limit=501')).status).toBe(400);
  });

  it('names every missing field', async () => {
    const { status, body } = await owner.post('/api/user/projects', {});
    expect(status).toBe(400);
    expect(z.object({ fields: z.record(z.string(), z.string()) }).parse(body).fields).toEqual(
      Object.fromEntries(Object.keys(project).map((name) => [name, expect.any(String)])),
    );
  });

  it('rejects a target that is not a URL', async () => {
    const answer = await owner.post('/api/user/projects', { ...project, targetUrl: 'javascript:alert(1)' });
    expect(answer).toMatchObject({ status: 400, body: { fields: { targetUrl: expect.any(String) } } });
  });

  it("rejects another site's page and a request without a session", async () => {
    const foreign = await owner.post('/api/user/projects', project, { origin: 'https://evil.example.com' });
    expect(foreign.status).toBe(403);
    expect((await openClient().get('/api/user/projects')).status).toBe(401);
    expect((await openClient().post('/api/user/projects', project)).status).toBe(401);
  });
});

describe('PUT /api/user/projects/{id}', () => {
  const change = (client: typeof owner, id: string, body: object) =>
    client.request(`/api/user/projects/${encodeURIComponent(id)}`, { method: 'PUT', body });

  it("changes the caller's own project, and names missing fields", async () => {
    const { id } = await create();
    const changed = { ...project, domain: 'changed.example.com' };
    expect(await change(owner, id, changed)).toMatchObject({ status: 200, body: { id, ...changed } });
    expect(await owner.get(`/api/user/projects/${id}`)).toMatchObject({ body: changed });
    expect(await change(owner, id, { ...changed, keywords: '' })).toMatchObject({
      status: 400,
      body: { fields: { keywords: expect.any(String) } },
    });
    expect(await change(owner, id, { ...project, version: 1 })).toMatchObject({ status: 409 });
    expect(await change(owner, id, { ...project, version: 2 })).toMatchObject({ status: 200, body: { version: 3 } });
    const [foreign, none] = [await change(stranger, id, changed), await change(owner, newId(), changed)];
    expect([foreign.status, foreign.body]).toEqual([404, none.body]);
  });
});

describe('DELETE /api/user/projects/{id}', () => {
  const remove = (client: typeof owner, id: string) =>
    client.request(`/api/user/projects/${encodeURIComponent(id)}`, { method: 'DELETE' });

  it('deletes once, and responds alike for foreign, deleted and invalid ids', async () => {
    const { id } = await create();
    const before = await domainsOf(owner);
    const refused = await remove(stranger, id);
    expect(refused.status).toBe(404);
    expect(await domainsOf(owner)).toEqual(before);
    expect((await remove(owner, id)).status).toBe(200);
    for (const gone of [await remove(owner, id), await remove(owner, newId()), await remove(owner, "' or 1=1")]) {
      expect(gone).toMatchObject({ status: 404, body: refused.body });
    }
    expect(await domainsOf(owner)).toHaveLength(before.length - 1);
  });
});

describe('/user/projects', () => {
  it('shows the list', async () => {
    await create();
    const { status, body } = await owner.get('/user/projects');
    expect(status).toBe(200);
    expect(body).toContain('shop.example.com');
    expect(body).toContain('Create New Project');
  });

  it('redirects an admin to the dashboard, and a visitor to the sign-in page and back', async () => {
    const admin = openClient();
    await admin.signIn('admin', (await makeAccount({ role: 'Admin' })).email);
    const sent = await admin.get('/user/projects');
    expect([sent.status, sent.headers.get('location')]).toEqual([307, '/dashboard']);
    const asked = await openClient().get('/user/projects');
    expect(asked.status).toBe(307);
    expect(asked.headers.get('location')).toContain('/user/login?next=%2Fuser%2Fprojects');
  });
});
