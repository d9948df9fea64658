import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { permissions } from '@/lib/access/permissions';
import { newId } from '@/lib/ids';
import { makeAccount } from '@/tests/factories/make-account';
import { makeRole, makeStaff } from '@/tests/factories/make-staff';
import { appUrl, openClient } from '@/tests/setup/http-client';

type Client = ReturnType<typeof openClient>;

let admin: Client;
let adminId = '';
const mark = newId();
const password = 'a long enough password';

async function signedIn(portal: 'user' | 'admin', email: string): Promise<Client> {
  const client = openClient();
  expect((await client.signIn(portal, email)).status).toBe(200);
  return client;
}
const put = (client: Client, path: string, body: unknown) => client.request(path, { method: 'PUT', body });
const patch = (client: Client, path: string, body: unknown) => client.request(path, { method: 'PATCH', body });
const remove = (client: Client, path: string, body?: unknown) => client.request(path, { method: 'DELETE', body });
const idOf = (body: unknown) =>
  typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : expect.fail('no id');

beforeAll(async () => {
  const account = await makeAccount({ role: 'Admin' });
  adminId = account.userId;
  admin = await signedIn('admin', account.email);
});

describe('/api/users', () => {
  it('creates a user who can sign in, lists, updates and deletes the user', async () => {
    const email = `new-${mark}@example.com`;
    const added = await admin.post('/api/users', {
      name: `Ada ${mark}`,
      email,
      status: 'Active',
      role: 'User',
      password,
    });
    expect(added).toMatchObject({
      status: 201,
      body: { id: expect.any(String), name: `Ada ${mark}`, email, status: 'Active', role: 'User', version: 1 },
    });
    expect(JSON.stringify(added.body)).not.toMatch(/password|argon/i);
    const path = `/api/users/${idOf(added.body)}`;
    const person = openClient();
    expect((await person.signIn('user', email, password)).status).toBe(200);

    const listed = await admin.get(`/api/users?q=${mark}&limit=5`);
    expect(listed.headers.get('x-total-count')).toBe('1');
    expect(listed.body).toEqual([expect.objectContaining({ email, role: 'User' })]);

    const edited = await put(admin, path, {
      name: `Ada L ${mark}`,
      email,
      status: 'Suspended',
      role: 'User',
      version: 1,
    });
    expect(edited).toMatchObject({ status: 200, body: { name: `Ada L ${mark}`, status: 'Suspended', version: 2 } });
    expect((await person.get('/api/user/auth/me')).status).toBe(401);
    await put(admin, path, { status: 'Active' });
    expect((await person.get('/api/user/auth/me')).status).toBe(401);
    expect(await put(admin, path, { name: 'Stale', version: 1 })).toMatchObject({ status: 409 });
    // The current version, which a screen compares with the rejected edit.
    const current = await admin.get(path);
    expect(current).toMatchObject({ status: 200, body: { name: `Ada L ${mark}`, email, status: 'Active' } });
    expect(JSON.stringify(current.body)).not.toMatch(/password|argon/i);

    expect((await remove(admin, path)).status).toBe(200);
    expect((await admin.get(path)).status).toBe(404);
    expect((await person.signIn('user', email, password)).status).toBe(401);
  });

  it('returns an error for each field', async () => {
    const { email } = await makeAccount();
    const cases: [body: unknown, status: number, field: string][] = [
      [{ email: `x-${mark}@example.com`, password }, 400, 'name'],
      [{ name: 'X', email: 'nowhere', password }, 400, 'email'],
      // Without a password the person is invited, and Pending.
      [{ name: 'X', email: `x-${mark}@example.com`, status: 'Expired' }, 400, 'status'],
      [{ name: 'X', email: `x-${mark}@example.com`, password: 'short' }, 400, 'password'],
      [{ name: 'X', email: `x-${mark}@example.com`, password, status: 'Asleep' }, 400, 'status'],
      [{ name: 'X', email: `x-${mark}@example.com`, password, role: 'No such role' }, 400, 'role'],
      [{ name: 'X', email: email.toUpperCase(), password }, 409, 'email'],
    ];
    for (const [body, status, field] of cases) {
      const answer = await admin.post('/api/users', body);
      expect(answer, field).toMatchObject({ status, body: { fields: { [field]: expect.any(String) } } });
    }
  });

  it('changes a role by both endpoints, effective at once', async () => {
    const account = await makeAccount();
    const person = await signedIn('user', account.email);
    expect((await patch(admin, `/api/users/${account.userId}`, { role: 'seller' })).body).toMatchObject({
      role: 'Seller',
    });
    const again = await admin.post(`/api/acl/users/${account.userId}/roles`, { roleName: 'Seller' });
    expect(again).toMatchObject({ status: 200, body: { ok: true, userId: account.userId, role: 'Seller' } });
    expect((await person.get('/api/user/auth/me')).status).toBe(401);
    expect((await person.signIn('user', account.email)).body).toMatchObject({ user: { role: 'Seller' } });
  });

  it("refuses to change one's own role or status, or to delete oneself", async () => {
    const own = `/api/users/${adminId}`;
    const answers = [
      await patch(admin, own, { role: 'User' }),
      await admin.post(`/api/acl/users/${adminId}/roles`, { roleName: 'User' }),
      await put(admin, own, { status: 'Suspended' }),
      await put(admin, own, { password }),
      await remove(admin, own),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect((await admin.get('/api/admin/auth/me')).status).toBe(200);
  });
});

describe('staff with ManageUsers', () => {
  it('cannot manage users with more permissions, and get a message with the reason', async () => {
    const staff = await signedIn('admin', (await makeStaff('ManageUsers')).email);
    const target = await makeAccount();
    const above = await makeRole(['AdminDashboard', 'ManageWallets']);
    for (const role of ['Admin', above]) {
      const answer = await patch(staff, `/api/users/${target.userId}`, { role });
      expect(answer).toMatchObject({ status: 403, body: { error: expect.stringMatching(/admin/i) } });
    }
    for (const body of [{ status: 'Suspended' }, { password }, { email: `taken-${newId()}@example.com` }]) {
      expect((await put(staff, `/api/users/${adminId}`, body)).status).toBe(403);
    }
    expect((await remove(staff, `/api/users/${adminId}`)).status).toBe(403);
    expect((await patch(staff, `/api/users/${target.userId}`, { role: 'Seller' })).status).toBe(200);
  });
});

describe('/api/acl', () => {
  it('lists roles, their permissions, and all permissions', async () => {
    const roles = await admin.get('/api/acl/roles');
    expect(roles.body).toEqual(
      expect.arrayContaining(
        ['Admin', 'User', 'Seller'].map((name) => expect.objectContaining({ id: name, name, isBuiltIn: true })),
      ),
    );
    const { body: catalogue } = await admin.get('/api/acl/permissions');
    expect(catalogue).toEqual(expect.arrayContaining([{ name: 'ManageUsers', description: expect.any(String) }]));
    const { body } = await admin.get('/api/acl/roles-with-permissions');
    expect(body).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'Admin', permissions: [...permissions] }),
        expect.objectContaining({ name: 'User', permissions: [] }),
      ]),
    );
  });

  it('creates a role, grants and revokes permissions, and deletes it when unused', async () => {
    const name = `Editor / ${mark} ü`;
    expect(await admin.post('/api/acl/roles', { name: '  ' })).toMatchObject({
      status: 400,
      body: { error: 'Enter a role name.' },
    });
    // No path could name it, so it could not be deleted.
    for (const dots of ['.', '..']) expect((await admin.post('/api/acl/roles', { name: dots })).status).toBe(400);
    expect(await admin.post('/api/acl/roles', { name })).toMatchObject({
      status: 201,
      body: { name, permissions: [] },
    });
    expect((await admin.post('/api/acl/roles', { name: name.toUpperCase() })).status).toBe(409);
    const path = `/api/acl/roles/${encodeURIComponent(name)}`;
    const holder = await makeAccount();
    await admin.post(`/api/acl/users/${holder.userId}/roles`, { roleName: name });
    for (const permName of ['AdminDashboard', 'ManageOrders']) {
      expect((await admin.post(`${path}/permissions`, { permName })).status).toBe(200);
    }
    const person = await signedIn('admin', holder.email);
    expect((await person.get('/api/acl/my-permissions')).body).toEqual(['AdminDashboard', 'ManageOrders']);
    expect((await person.get('/api/admin/orders?limit=1')).status).toBe(200);
    expect((await remove(admin, `${path}/permissions`, { permName: 'ManageOrders' })).status).toBe(200);
    expect((await person.get('/api/admin/orders?limit=1')).status).toBe(403);
    expect((await admin.post(`${path}/permissions`, { permName: 'Everything' })).status).toBe(400);
    expect((await remove(admin, path)).status).toBe(409);
    await patch(admin, `/api/users/${holder.userId}`, { role: 'User' });
    expect((await remove(admin, path)).status).toBe(200);
    expect((await remove(admin, path)).status).toBe(404);
  });

  it('keeps the built-in roles', async () => {
    for (const name of ['Admin', 'user', 'Seller'])
      expect((await remove(admin, `/api/acl/roles/${name}`)).status).toBe(409);
    expect((await remove(admin, '/api/acl/roles/Admin/permissions', { permName: 'ManageUsers' })).status).toBe(409);
  });
});

describe('/api/roles, the legacy endpoints', () => {
  it("assigns, changes and removes a user's features, effective at once", async () => {
    const account = await makeAccount({ role: 'Seller', name: 'Sela' });
    const person = await signedIn('user', account.email);
    expect((await person.request('/api/guest-posts/999999999', { method: 'DELETE' })).status).toBe(403);
    const features = ['Guest Post Approvals', 'Manage Blog'];
    const added = await admin.post('/api/roles', {
      userId: account.userId,
      name: 'Editor',
      features,
      userName: 'Mallory',
    });
    expect(added).toMatchObject({
      status: 201,
      body: { name: 'Editor', userId: account.userId, userName: 'Sela', features },
    });
    expect((await person.request('/api/guest-posts/999999999', { method: 'DELETE' })).status).toBe(404);
    expect((await person.get('/api/seller/auth/me')).status).toBe(200);
    const path = `/api/roles/${idOf(added.body)}`;
    expect((await admin.get('/api/roles')).body).toEqual(expect.arrayContaining([added.body]));
    expect(await put(admin, path, { features: ['Purchase Guest Posts'] })).toMatchObject({
      status: 200,
      body: { name: 'Editor', features: ['Purchase Guest Posts'], version: 2 },
    });
    expect((await person.request('/api/guest-posts/999999999', { method: 'DELETE' })).status).toBe(403);
    expect(await admin.get(path)).toMatchObject({
      status: 200,
      body: { name: 'Editor', userId: account.userId, features: ['Purchase Guest Posts'], version: 2 },
    });
    expect(await admin.post('/api/roles', { userId: account.userId, name: 'EDITOR' })).toMatchObject({ status: 409 });
    expect((await remove(admin, path)).status).toBe(200);
    expect((await put(admin, path, { name: 'Gone' })).status).toBe(404);
    const unknownUser = await admin.post('/api/roles', { userId: newId(), name: 'Editor', features });
    expect(unknownUser).toMatchObject({ status: 400, body: { error: 'Please select a valid user.' } });
    expect((await admin.post('/api/roles', { userId: account.userId, name: 'X', features: ['Root'] })).status).toBe(
      400,
    );
  });
});

it('GET and POST /api/profile/avatar concern the caller only', async () => {
  const [one, other] = [await makeAccount(), await makeAccount()];
  const client = await signedIn('user', one.email);
  const form = new FormData();
  const image = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#0a0' } })
    .png()
    .toBuffer();
  form.append('file', new File([new Uint8Array(image)], '../../evil.png', { type: 'text/html' }));
  const sent = await fetch(`${appUrl}/api/profile/avatar`, {
    method: 'POST',
    headers: { cookie: client.cookie(), origin: new URL(appUrl).origin },
    body: form,
  });
  expect(sent.status).toBe(200);
  const answer = await client.get('/api/profile/avatar');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
  const again = await client.get('/api/profile/avatar', { 'if-none-match': answer.headers.get('etag') ?? '' });
  expect(again.status).toBe(304);
  expect((await (await signedIn('user', other.email)).get('/api/profile/avatar')).status).toBe(404);
  expect((await client.request('/api/profile/avatar', { method: 'DELETE' })).status).toBe(200);
  expect((await client.get('/api/profile/avatar')).status).toBe(404);
});
