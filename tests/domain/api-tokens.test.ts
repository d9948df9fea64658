import { and, desc, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { GET as getUsers } from '@/app/api/admin/[operation]/route';
import { GET as getLogs } from '@/app/api/audit-logs/route';
import { POST as postOrder } from '@/app/api/orders/route';
import { DELETE as deleteToken } from '@/app/api/tokens/[id]/route';
import { GET as getTokens, POST as postToken } from '@/app/api/tokens/route';
import { DELETE as deleteUser } from '@/app/api/users/[id]/route';
import { GET as getWallet } from '@/app/api/wallet/route';
import { POST as rotateEndpoint } from '@/app/api/webhooks/[id]/[operation]/route';
import { PATCH as patchEndpoint } from '@/app/api/webhooks/[id]/route';
import { POST as postEndpoint } from '@/app/api/webhooks/route';
import { db } from '@/db/client';
import { apiTokens } from '@/db/schema/api-tokens';
import { auditLogs } from '@/db/schema/audit';
import { rateLimits } from '@/db/schema/limits';
import { mails } from '@/db/schema/mails';
import { orders } from '@/db/schema/orders';
import { packages } from '@/db/schema/packages';
import { settings } from '@/db/schema/settings';
import { rolePermissions, sessions, users } from '@/db/schema/users';
import { webhookEndpoints } from '@/db/schema/webhook-endpoints';
import type { Actor } from '@/lib/access/actor';
import { action } from '@/lib/auth/action';
import { hashTokenSecret, newTokenSecret } from '@/lib/auth/api-token-secret';
import { authenticateToken } from '@/lib/auth/authenticate-token';
import { currentActor } from '@/lib/auth/current-actor';
import { revokeProgramAccess } from '@/lib/auth/revoke-access';
import { listBackupTables } from '@/lib/backup/tables';
import { maxTokens } from '@/lib/developers/tokens/tokens';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { createOrder } from '@/lib/orders/order/create';
import { updateOrder } from '@/lib/orders/order/update';
import { limits } from '@/lib/platform/rate-limits/limits';
import { propertyRuns } from '@/scripts/testing/tier';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeToken } from '@/tests/factories/make-token';
import { makeUser } from '@/tests/factories/make-user';
import { bearerOf } from '@/tests/setup/bearer-of';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { outboxOf } from '@/tests/setup/outbox';
import { callHandler, inRequest } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

const at = 'http://localhost:3000/api';
type Headers0 = Record<string, string>;
const wallet = (headers: Headers0) => callHandler(getWallet, `${at}/wallet`, { headers });
const create = (headers: Headers0, body: unknown) =>
  callHandler(postToken, `${at}/tokens`, { method: 'POST', headers, body });
const revoke = (headers: Headers0, id: string) =>
  callHandler(deleteToken, `${at}/tokens/${id}`, { method: 'DELETE', headers, params: { id } });

/** The actor of a request with the token. */
async function actorOf(secret: string): Promise<Actor> {
  const { actor } = await authenticateToken(secret, { headers: new Headers(), responseHeaders: new Headers() });
  return actor;
}

const codeOf = (thrown: unknown) => (thrown instanceof AppError ? thrown.code : String(thrown));

afterEach(() => db().delete(settings).where(eq(settings.key, 'flag.api-tokens')));

describe('a request with an API token', () => {
  it('acts as its owner, and is counted in RateLimit headers', async () => {
    const { userId } = await makeUser();
    const { headers } = await makeToken(userId, ['read']);
    const answer = await wallet(headers);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('ratelimit-policy')).toBe('"token";q=600;w=60');
    expect(answer.headers.get('ratelimit')).toBe('"token";r=599;t=60');
    expect((await wallet(headers)).headers.get('ratelimit')).toMatch(/^"token";r=598;t=\d+$/);
  });

  it('is refused with 401 after it was revoked, after its end, and without a known secret', async () => {
    const { userId } = await makeUser();
    const revoked = await makeToken(userId, ['read'], { revokedAt: new Date() });
    const expired = await makeToken(userId, ['read'], { expiresAt: new Date(Date.now() - 1_000) });
    const { secret } = await makeToken(userId, ['read']);
    const wrong = `${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}`;
    for (const [headers, text] of [
      [revoked.headers, /revoked/],
      [expired.headers, /expired/],
      [{ authorization: `Bearer ${newTokenSecret()}` }, /does not exist/],
      [{ authorization: `Bearer ${wrong}` }, /does not exist/],
      [{ authorization: 'Bearer lm_' }, /does not exist/],
    ] as const) {
      const answer = await wallet(headers);
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
        401,
        'Bearer realm="LinkMarket", error="invalid_token"',
      ]);
      expect(answer.body).toEqual({ error: expect.stringMatching(text) });
    }
  });

  it('is refused outside of its IP ranges like an unknown token', async () => {
    const { userId } = await makeUser();
    const unknown = await wallet({ authorization: `Bearer ${newTokenSecret()}` });
    for (const [allowedIps, status] of [
      [['127.0.0.0/8'], 200],
      [['2001:db8::/32', '127.0.0.1'], 200],
      [['10.0.0.0/8'], 401],
      [['::/0'], 401],
      [['0.0.0.0/0'], 200],
    ] as const) {
      const answer = await wallet((await makeToken(userId, ['read'], { allowedIps: [...allowedIps] })).headers);
      expect([allowedIps, answer.status]).toEqual([allowedIps, status]);
      if (status === 401) expect(answer.body).toEqual(unknown.body);
    }
  });

  it('is refused while the flag is off', async () => {
    const { userId } = await makeUser();
    const { headers } = await makeToken(userId, ['read']);
    await db().insert(settings).values({ key: 'flag.api-tokens', value: false });
    expect([(await wallet(headers)).status, (await create(await bearerOf(userId), body())).status]).toEqual([503, 503]);
  });

  it.each([
    ['suspended', { status: 'Suspended' as const }],
    ['deleted', { deletedAt: new Date() }],
  ])('is refused from the request after its owner was %s', async (_, change) => {
    const { userId } = await makeUser();
    const { headers } = await makeToken(userId, ['read']);
    expect((await wallet(headers)).status).toBe(200);
    await db().update(users).set(change).where(eq(users.id, userId));
    expect((await wallet(headers)).status).toBe(401);
  });

  it('is limited per token with Retry-After', async () => {
    const { userId } = await makeUser();
    const { id, headers } = await makeToken(userId, ['read']);
    const other = await makeToken(userId, ['read']);
    await wallet(headers);
    await db()
      .update(rateLimits)
      .set({ count: limits.token.account.max })
      .where(eq(rateLimits.key, `token:account:${id}`));
    const answer = await wallet(headers);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.headers.get('ratelimit')).toMatch(/^"token";r=0;t=\d+$/);
    expect((await wallet(other.headers)).status).toBe(200);
  });

  it('writes its last use at most once a minute, and waits for no lock', async () => {
    const { userId } = await makeUser();
    const { id, headers } = await makeToken(userId, ['read']);
    const used = async () => (await db().select().from(apiTokens).where(eq(apiTokens.id, id)))[0];
    await db().transaction(async (tx) => {
      await tx.select().from(apiTokens).where(eq(apiTokens.id, id)).for('update');
      expect((await wallet(headers)).status).toBe(200);
    });
    expect(await used()).toMatchObject({ lastUsedAt: null });
    await wallet(headers);
    const first = await used();
    expect(first).toMatchObject({ lastUsedAt: expect.any(Date), lastUsedIp: '127.0.0.1' });
    await wallet(headers);
    expect((await used())?.lastUsedAt).toEqual(first?.lastUsedAt);
  });

  it('opens no page and calls no server action', async () => {
    const { userId } = await makeUser('Admin');
    const { headers } = await makeToken(userId, ['read', 'AdminDashboard', 'ManageUsers']);
    const hello = action({ access: 'session', input: z.object({}) }, async () => 'hello');
    expect(await inRequest(headers, currentActor)).toBeNull();
    expect(await inRequest(headers, () => hello({}))).toMatchObject({ ok: false, status: 401 });
  });
});

describe('the permissions of a token of staff', () => {
  it('are those that its owner holds at the request', async () => {
    const staff = await makeStaff('ViewAuditLogs', 'ManageUsers');
    const { headers } = await makeToken(staff.userId, ['AdminDashboard', 'ViewAuditLogs']);
    const logs = () => callHandler(getLogs, `${at}/audit-logs`, { headers });
    expect((await logs()).status).toBe(200);
    // The owner may list users, the token may not.
    expect((await callHandler(getUsers, `${at}/admin/users`, { headers })).status).toBe(403);
    await db()
      .delete(rolePermissions)
      .where(and(eq(rolePermissions.roleName, staff.role), eq(rolePermissions.permission, 'ViewAuditLogs')));
    expect((await logs()).status).toBe(403);
  });

  it("of an admin are those that the token names, so that it does not cover an admin's account", async () => {
    const admin = await makeUser('Admin');
    const other = await makeUser('Admin');
    const buyer = await makeUser();
    const { headers, secret } = await makeToken(admin.userId, ['AdminDashboard', 'ManageUsers']);
    expect((await actorOf(secret)).permissions).toEqual(['AdminDashboard', 'ManageUsers']);
    const remove = (id: string) =>
      callHandler(deleteUser, `${at}/users/${id}`, { method: 'DELETE', headers, params: { id } });
    expect((await remove(other.userId)).status).toBe(403);
    expect((await remove(buyer.userId)).status).toBe(200);
    const [line] = await db()
      .select()
      .from(auditLogs)
      .where(and(eq(auditLogs.action, 'user.deleted'), eq(auditLogs.entityId, buyer.userId)));
    expect(line).toMatchObject({ source: 'token', user: admin.email });
    expect(line?.details).toContain('By the API token “Reports” (');
  });
});

const body = (values: object = {}) => ({ name: 'CI', scopes: ['read'], ...values });

describe('creating an API token', () => {
  it('returns the secret once and stores only its hash; the owner is mailed', async () => {
    const { userId, email } = await makeUser();
    const headers = await bearerOf(userId);
    const made = await create(headers, body({ allowedIps: [' 127.0.0.1 ', '2001:DB8::/32'], dailyLimitCents: 5_000 }));
    expect(made.status).toBe(201);
    const { token, id } = z.object({ token: z.string(), id: z.string() }).parse(made.body);
    expect(token).toMatch(/^lm_[0-9A-Za-z]{49}$/);
    const [row] = await db().select().from(apiTokens).where(eq(apiTokens.id, id));
    expect(row).toMatchObject({ secretHash: hashTokenSecret(token), allowedIps: ['127.0.0.1', '2001:db8::/32'] });
    expect(JSON.stringify(row)).not.toContain(token);
    const listed = await callHandler(getTokens, `${at}/tokens`, { headers });
    expect(listed.body).toMatchObject([{ id, lastFour: token.slice(-4), dailyLimitCents: 5_000, spentTodayCents: 0 }]);
    expect(JSON.stringify(listed.body)).not.toContain(token);
    const sent = await db().select({ subject: mails.subject }).from(mails).where(eq(mails.recipient, email));
    expect(sent).toEqual([{ subject: 'An API token was created' }]);
    const [line] = await db().select().from(auditLogs).where(eq(auditLogs.entityId, id));
    expect(line).toMatchObject({ action: 'api_token.created', source: 'web' });
    expect(JSON.stringify(line)).not.toContain(token);

    expect((await wallet({ authorization: `Bearer ${token}` })).status).toBe(200);
    expect((await revoke(headers, id)).status).toBe(200);
    expect((await wallet({ authorization: `Bearer ${token}` })).status).toBe(401);
    expect((await revoke(headers, id)).status).toBe(404);
  });

  it('needs a recent password, and no token can do it', async () => {
    const { userId } = await makeUser();
    const headers = await bearerOf(userId);
    await db()
      .update(sessions)
      .set({ authenticatedAt: new Date(0) })
      .where(eq(sessions.userId, userId));
    expect((await create(headers, body())).body).toMatchObject({ code: 'reauthentication_required' });
    const { headers: ofToken, id } = await makeToken(userId, ['read', 'orders:write', 'wallet:topup', 'webhooks']);
    expect((await create(ofToken, body())).status).toBe(403);
    expect((await revoke(ofToken, id)).status).toBe(403);
  });

  it('gives no scope that the user does not hold', async () => {
    const buyer = await makeAccount();
    const staff = await makeStaff('ManageOrders');
    const admin = await makeUser('Admin');
    for (const [{ userId }, scopes, expected] of [
      [buyer, ['ManageOrders'], 403],
      [buyer, ['seller'], 403],
      [staff, ['ManageUsers'], 403],
      [admin, ['ManageBackups'], 400],
      [admin, ['everything'], 400],
      [buyer, [], 400],
      [staff, ['ManageOrders'], 201],
      [admin, ['ManageUsers', 'read', 'read'], 201],
    ] as const) {
      const answer = await create(await bearerOf(userId), body({ scopes }));
      expect([scopes, answer.status]).toEqual([scopes, expected]);
    }
    const [row] = await db().select().from(apiTokens).where(eq(apiTokens.userId, staff.userId));
    expect(row?.scopes).toEqual(['AdminDashboard', 'ManageOrders']);
  });

  it.each([
    { name: '' },
    { name: 'two\nlines' },
    { expiresAt: '2020-01-01T00:00:00Z' },
    { expiresAt: 'tomorrow' },
    { allowedIps: ['10.0.0.0/33'] },
    { allowedIps: ['::ffff:10.0.0.1'] },
    { allowedIps: ['example.com'] },
    { dailyLimitCents: -1 },
    { dailyLimitCents: 1.5 },
  ])('refuses %j', async (values) => {
    const { userId } = await makeUser();
    expect((await create(await bearerOf(userId), body(values))).status).toBe(400);
  });

  it(`stops at ${maxTokens} tokens, also at once`, async () => {
    const { userId } = await makeUser();
    const headers = await bearerOf(userId);
    for (let index = 1; index < maxTokens; index += 1) await makeToken(userId, ['read']);
    await makeToken(userId, ['read'], { revokedAt: new Date() });
    const answers = await Promise.all([1, 2, 3].map(() => create(headers, body())));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it("does not show or revoke another user's token", async () => {
    const [owner, other] = [await makeUser(), await makeUser()];
    const { id, headers } = await makeToken(owner.userId, ['read']);
    const stranger = await bearerOf(other.userId);
    expect((await callHandler(getTokens, `${at}/tokens`, { headers: stranger })).body).toEqual([]);
    expect((await revoke(stranger, id)).status).toBe(404);
    expect((await wallet(headers)).status).toBe(200);
  });
});

it('decides where events go, and receives a secret of a webhook, after a recent password only, and never by token', async () => {
  const { userId, email } = await makeUser();
  const headers = await bearerOf(userId);
  const { headers: ofToken } = await makeToken(userId, ['webhooks']);
  const endpoint = { url: 'https://hooks.example.com/receive', events: ['order.created'] };
  const path = `${at}/webhooks`;
  const post = (of: Headers0) => callHandler(postEndpoint, path, { method: 'POST', headers: of, body: endpoint });
  const made = await post(headers);
  expect(made).toMatchObject({ status: 201, body: { secret: expect.any(String) } });
  const { id } = z.object({ id: z.string() }).parse(made.body);
  const patch = (of: Headers0, sent: unknown) =>
    callHandler(patchEndpoint, `${path}/${id}`, { method: 'PATCH', headers: of, params: { id }, body: sent });
  const rotate = (of: Headers0) =>
    callHandler(rotateEndpoint, `${path}/${id}/rotate`, {
      method: 'POST',
      headers: of,
      params: { id, operation: 'rotate' },
    });
  const moved = { url: 'https://elsewhere.example.com/receive' };
  const decisions = (of: Headers0) => [post(of), patch(of, moved), rotate(of)];
  for (const answer of await Promise.all(decisions(ofToken))) expect(answer.status).toBe(403);
  expect((await patch(ofToken, { description: 'For the warehouse' })).status).toBe(200);
  await db()
    .update(sessions)
    .set({ authenticatedAt: new Date(0) })
    .where(eq(sessions.userId, userId));
  for (const answer of await Promise.all(decisions(headers)))
    expect(answer.body).toMatchObject({ code: 'reauthentication_required' });
  const [mail] = await outboxOf(email);
  expect(mail?.subject).toBe('A webhook endpoint was added');
});

it('a recovered account loses its tokens and webhooks, and a backup contains none', async () => {
  const { userId } = await makeUser();
  const endpoint = { id: newId(), ownerId: userId, url: 'https://hooks.example.com/', events: [], sealedSecret: '' };
  await db().insert(webhookEndpoints).values(endpoint);
  const { headers } = await makeToken(userId, ['read']);
  await db().transaction(async (tx) => revokeProgramAccess(tx, await makeUser('Admin'), userId));
  expect((await wallet(headers)).body).toEqual({ error: expect.stringContaining('revoked') });
  const [after] = await db().select().from(webhookEndpoints).where(eq(webhookEndpoints.id, endpoint.id));
  expect(after).toMatchObject({ isEnabled: false, offReason: 'owner' });
  const tables = (await listBackupTables(db())).map(({ name }) => name);
  for (const name of ['public.api_tokens', 'public.webhook_endpoints', 'public.site_wordpress'])
    expect(tables).not.toContain(name);
});

describe('the daily limit of a token', () => {
  async function makeBuyer(priceCents: number, values: Partial<typeof apiTokens.$inferInsert>) {
    const buyer = await makeUser();
    await fundWallet(buyer.userId, 1_000_000);
    const [bundle] = await db().insert(packages).values({ name: newId(), priceCents, isOnSale: true }).returning();
    const { id, secret, headers } = await makeToken(buyer.userId, ['orders:write'], values);
    const projectId = await makeProject(buyer);
    const order = (quantity = 1) => ({ kind: 'package' as const, projectId, packageId: bundle?.id ?? 0, quantity });
    return { buyer, id, secret, headers, order };
  }
  const spent = async (id: string) =>
    (await db().select({ cents: apiTokens.spentCents }).from(apiTokens).where(eq(apiTokens.id, id)))[0]?.cents;

  it('is never exceeded by orders at once, whatever they cost', async () => {
    const runs = fc.record({
      price: fc.integer({ min: 1, max: 500 }),
      limit: fc.integer({ min: 0, max: 3_000 }),
      quantities: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(runs, async ({ price, limit, quantities }) => {
        const { buyer, id, secret, order } = await makeBuyer(price, { dailyLimitCents: limit });
        const actor = await actorOf(secret);
        const settled = await Promise.allSettled(quantities.map((quantity) => createOrder(actor, order(quantity))));
        for (const one of settled) if (one.status === 'rejected') expect(codeOf(one.reason)).toBe('forbidden');
        const rows = await db()
          .select({ cents: orders.chargedCents })
          .from(orders)
          .where(eq(orders.accountId, buyer.userId));
        const total = rows.reduce((sum, { cents }) => sum + cents, 0);
        expect(total).toBeLessThanOrEqual(limit);
        expect(await spent(id)).toBe(total);
        // A refused order would have exceeded the limit: nothing that fits was refused at the end.
        const smallest = Math.min(...quantities) * price;
        if (settled.every(({ status }) => status === 'rejected')) expect(smallest).toBeGreaterThan(limit);
      }),
      { numRuns: propertyRuns(12) },
    );
    await expectSoundBooks();
  });

  it('counts only the orders of the token, of one UTC day; a refund gives nothing back', async () => {
    const { buyer, id, secret, headers, order } = await makeBuyer(400, { dailyLimitCents: 1_000 });
    const actor = await actorOf(secret);
    await createOrder(buyer, order(2));
    const made = await createOrder(actor, order());
    const admin = await makeUser('Admin');
    const [first] = made.orders;
    await updateOrder(admin, Number(first?.id), { status: 'Refunded' });
    await createOrder(actor, order());
    expect(await spent(id)).toBe(800);
    const send = () => callHandler(postOrder, `${at}/orders`, { method: 'POST', headers, body: order() });
    const refused = await send();
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        error:
          'This costs $4.00, and the API token “Reports” can spend $2.00 more today (limit $10.00, until midnight UTC). Nothing was paid.',
      },
    ]);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    await db().update(apiTokens).set({ spentOn: yesterday }).where(eq(apiTokens.id, id));
    expect((await send()).status).toBe(201);
    expect(await spent(id)).toBe(400);
    const [line] = await db()
      .select()
      .from(auditLogs)
      .where(and(eq(auditLogs.action, 'order.created'), eq(auditLogs.userId, buyer.userId)))
      .orderBy(desc(auditLogs.id))
      .limit(1);
    expect(line).toMatchObject({ source: 'token' });
    expect(line?.details).toContain(`By the API token “Reports” (${id}).`);
  });

  it('counts a repeated request once, and an order that fails not at all', async () => {
    const { id, secret, order } = await makeBuyer(400, { dailyLimitCents: 1_000 });
    const actor = await actorOf(secret);
    await Promise.all([createOrder(actor, order(), 'key'), createOrder(actor, order(), 'key')]);
    expect(await spent(id)).toBe(400);
    await expect(createOrder(actor, { ...order(), shownTotalCents: 1 })).rejects.toThrow('price');
    expect(await spent(id)).toBe(400);
  });

  it('refuses an order of a token that was revoked in the meantime', async () => {
    const { id, secret, order } = await makeBuyer(400, {});
    const actor = await actorOf(secret);
    await db().update(apiTokens).set({ revokedAt: new Date() }).where(eq(apiTokens.id, id));
    await expect(createOrder(actor, order())).rejects.toThrow('revoked');
  });
});
