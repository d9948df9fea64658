import { eq } from 'drizzle-orm';
import { NextRequest } from 'next/server';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { GET as listMarketplace } from '@/app/api/guest-posts/route';
import { POST as uploadOwnSites } from '@/app/api/seller/sites/upload/route';
import { GET as listPackages } from '@/app/api/user/[operation]/route';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { packages } from '@/db/schema/packages';
import { settings } from '@/db/schema/settings';
import { sites } from '@/db/schema/sites';
import { sessions, users } from '@/db/schema/users';
import { type Actor, systemActor } from '@/lib/access/actor';
import { register } from '@/lib/auth/register';
import { encodeSessionToken } from '@/lib/auth/session-token';
import { newId } from '@/lib/ids';
import { createOrder } from '@/lib/orders/order/create';
import { listOfferedPackages } from '@/lib/packages/packages';
import { listOfferedProviders } from '@/lib/payments/providers/open-provider';
import { createTopup } from '@/lib/payments/top-ups/create';
import { suggestSnippet } from '@/lib/serp/suggest-snippet';
import { type FlagName, flagNames, flags, getFlags, setFlag } from '@/lib/settings/feature-flags';
import { createOwnSite } from '@/lib/sites/create';
import { ownSiteBody } from '@/lib/sites/edit-schemas';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { callHandler, inRequest } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

let admin: Actor;

beforeEach(async () => {
  await db().delete(settings);
  admin = await makeUser('Admin');
});

const turn = async (name: FlagName, isOn: boolean) => {
  const state = (await getFlags()).find((flag) => flag.name === name);
  await setFlag(admin, { name, isOn, version: state?.version ?? 0 });
};
const off = (name: FlagName) => ({ code: 'not_configured', message: flags[name].off });

async function bearerOf({ userId, sessionId }: Actor): Promise<{ authorization: string }> {
  await db()
    .insert(sessions)
    .values({ id: sessionId, userId, ip: '', userAgent: '', expiresAt: new Date(Date.now() + 60_000) });
  return { authorization: `Bearer ${await encodeSessionToken(userId, sessionId, 60)}` };
}

describe('a flag', () => {
  it('starts as its entry says, the public catalog off; turning it off and on is audited', async () => {
    const listOff = async () => (await getFlags()).filter(({ isOn }) => !isOn).map(({ name }) => name);
    const offAtFirst = flagNames.filter((name) => !flags[name].startsOn);
    expect(offAtFirst).toEqual(['public-catalogue', 'public-addresses']);
    expect(await listOff()).toEqual(offAtFirst);
    await turn('packages', false);
    expect(await listOff()).toEqual(['packages', ...offAtFirst]);
    await turn('packages', true);
    expect(await listOff()).toEqual(offAtFirst);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.userId, admin.userId));
    expect(lines.map(({ details }) => details)).toEqual(['Packages turned off.', 'Packages turned on.']);
  });

  it('accepts one of several concurrent changes, and rejects the others as stale', async () => {
    for (const version of [0, 1]) {
      const turning = Array.from({ length: 5 }, () =>
        setFlag(admin, { name: 'marketplace', isOn: version === 1, version }),
      );
      const outcomes = await Promise.allSettled(turning);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  });
});

describe('turned off', () => {
  it.each([
    ['registration', 'User'],
    ['seller-registration', 'Seller'],
  ] as const)('%s: rejects registrations as %s and accepts the other kind', async (name, role) => {
    await turn(name, false);
    const newUser = () => ({ name: 'Ann', email: `${newId()}@example.com`, password: 'a long password' });
    const caller = systemActor('Registration', 'web');
    const [refused, taken] = [newUser(), newUser()];
    await expect(register(caller, role, refused)).rejects.toMatchObject(off(name));
    await register(caller, role === 'User' ? 'Seller' : 'User', taken);
    const made = await db().select({ email: users.email }).from(users);
    expect(made).not.toContainEqual({ email: refused.email });
    expect(made).toContainEqual({ email: taken.email });
  });

  it('marketplace: hides the list from buyers, not from staff, and rejects site orders', async () => {
    const seller = await makeUser('Seller');
    const siteId = await makeSite(seller.userId, 5_000);
    const buyer = await makeUser();
    await fundWallet(buyer.userId, 10_000);
    const order = { kind: 'custom' as const, projectId: await makeProject(buyer), siteIds: [siteId] };
    const headers = await bearerOf(buyer);
    const list = (bearer: { authorization: string }) =>
      callHandler(listMarketplace, 'http://localhost:3000/api/guest-posts', { headers: bearer });

    await turn('marketplace', false);
    expect(await list(headers)).toMatchObject({ status: 503, body: { error: flags.marketplace.off } });
    expect(await list(await bearerOf(admin))).toMatchObject({ status: 200 });
    await expect(createOrder(buyer, order)).rejects.toMatchObject(off('marketplace'));
    await turn('marketplace', true);
    expect(await list(headers)).toMatchObject({ status: 200 });
    expect((await createOrder(buyer, order)).orders).toHaveLength(1);
  });

  it('packages: offers none and rejects their orders', async () => {
    const [made] = await db().insert(packages).values({ name: 'Starter', priceCents: 4_999 }).returning();
    const buyer = await makeUser();
    await fundWallet(buyer.userId, 10_000);
    const order = {
      kind: 'package',
      projectId: await makeProject(buyer),
      packageId: made?.id ?? 0,
      quantity: 1,
    } as const;
    await turn('packages', false);
    expect(await listOfferedPackages()).toEqual([]);
    const headers = await bearerOf(buyer);
    expect(await callHandler(listPackages, 'http://localhost:3000/api/user/packages', { headers })).toMatchObject({
      status: 200,
      body: [],
    });
    await expect(createOrder(buyer, order)).rejects.toMatchObject(off('packages'));
    await turn('packages', true);
    expect((await createOrder(buyer, order)).orders).toHaveLength(1);
  });

  it.each(['stripe', 'paypal', 'wechat'] as const)(
    'top-ups by %s: hides the provider and rejects a start',
    async (provider) => {
      await turn(`topup-${provider}`, false);
      const input = { provider, amountCents: 5_000, returnUrl: `${process.env.APP_URL}/user/wallet` };
      await expect(createTopup(await makeUser(), input)).rejects.toMatchObject(off(`topup-${provider}`));
      expect((await listOfferedProviders()).map(({ name }) => name)).not.toContain(provider);
    },
  );

  it('SERP preview: rejects suggestions', async () => {
    const page = { domain: 'a.example', slug: 'b', currentTitle: '', currentDescription: '', intent: 'Garden tools' };
    await turn('serp-preview', false);
    await expect(suggestSnippet(admin, page)).rejects.toMatchObject(off('serp-preview'));
    await turn('serp-preview', true);
    expect((await suggestSnippet(admin, page)).source).toBe('rules');
  });

  it('sites from sellers: rejects the form and the CSV', async () => {
    await turn('site-uploads', false);
    const seller = await makeUser('Seller');
    const input = ownSiteBody.parse({ url: 'https://a.example', name: 'A', niche: 'x', country: 'y', price: '10' });
    await expect(createOwnSite(seller, input)).rejects.toMatchObject(off('site-uploads'));
    const form = new FormData();
    form.append('file', new File(['url,name,price\nhttps://b.example,B,10\n'], 'sites.csv', { type: 'text/csv' }));
    const headers = await bearerOf(seller);
    const sent = new Request('http://localhost:3000/api/seller/sites/upload', { method: 'POST', headers, body: form });
    const answer = await inRequest(headers, () =>
      uploadOwnSites(new NextRequest(sent), { params: Promise.resolve({}) }),
    );
    expect(answer.status).toBe(503);
    expect(await db().select().from(sites).where(eq(sites.ownerId, seller.userId))).toEqual([]);
  });
});
