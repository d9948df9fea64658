import { and, eq, inArray, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { notices } from '@/db/schema/notices';
import { ownershipProofs } from '@/db/schema/ownership-proofs';
import { orderBriefs } from '@/db/schema/placements';
import { sites } from '@/db/schema/sites';
import { orderPosts, type PublishSetting, siteWordpress, wordpressRequests } from '@/db/schema/wordpress';
import type { Actor } from '@/lib/access/actor';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { publishBody } from '@/lib/orders/posts/contract';
import { deliverPosts } from '@/lib/orders/posts/deliver-posts';
import { getPublishForm } from '@/lib/orders/posts/form';
import { publishPost } from '@/lib/orders/posts/publish';
import { restoreLink } from '@/lib/orders/posts/restore';
import { openSecret } from '@/lib/platform/secrets';
import { deleteOwnSite } from '@/lib/sites/delete';
import { updateSiteBody } from '@/lib/sites/edit-schemas';
import { changeOwnSites } from '@/lib/sites/own-bulk/change';
import { ownBulkBody } from '@/lib/sites/own-bulk/schemas';
import { updateSite } from '@/lib/sites/update';
import { wordpressSlot } from '@/lib/sites/wordpress/client';
import { completeConnection, startConnection } from '@/lib/sites/wordpress/connect';
import { disconnectWordPress, getWordPress, setPublishSetting } from '@/lib/sites/wordpress/connection';
import { callbackQuery } from '@/lib/sites/wordpress/contract';
import { deleteUser } from '@/lib/workflows/delete-user';
import { makeOffer } from '@/tests/factories/make-offer';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { accept, placementOf } from '@/tests/setup/placement-verbs';
import { startPublisher } from '@/tests/setup/start-publisher';

const { control } = startPublisher();

const setWordPress = (host: string, changes: object) => control('PUT', '/control/wordpress', { host, ...changes });
const post = z.object({ id: z.int(), title: z.string(), content: z.string(), status: z.string(), dateGmt: z.string() });
const siteState = z.object({
  passwords: z.array(z.object({ uuid: z.string() })),
  posts: z.array(post),
  media: z.array(z.object({ name: z.string() })),
});
const wordpressOf = async (host: string) => siteState.parse(await control('GET', `/control/wordpress?host=${host}`));
const requestsOf = async (host: string) =>
  z
    .array(z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }))
    .parse(await control('GET', `/control/requests?host=${host}`));

let hosts = 0;
/** A site of a seller who proved its domain; no other test uses its host. */
async function makeProvedSite(seller: Actor, isProved = true) {
  const host = `wp-${++hosts}.example.com`;
  const id = await makeSite(seller.userId, 10_000, {
    ...{ url: `https://${host}`, urlKey: host, isFulfilledByStaff: false },
  });
  if (isProved) await prove(seller, host);
  return { id, host };
}
const prove = ({ userId: sellerId }: Actor, domain: string) =>
  db()
    .insert(ownershipProofs)
    .values({ sellerId, domain, method: 'dns', verifiedAt: new Date(), checkedAt: new Date() });

const setProved = ({ userId }: Actor, domain: string, isProved: boolean) =>
  db()
    .update(ownershipProofs)
    .set({ verifiedAt: isProved ? new Date() : null })
    .where(and(eq(ownershipProofs.sellerId, userId), eq(ownershipProofs.domain, domain)));

type Answer = { role?: string; answer?: 'approve' | 'reject' };

/** Goes through the screen of WordPress. @returns the address to which it returns */
async function authorize(url: string, { role = 'author', answer = 'approve' }: Answer = {}): Promise<URL> {
  const asked = Object.fromEntries(new URL(url).searchParams);
  const body = new URLSearchParams({ ...asked, role, answer });
  const response = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  const location = response.headers.get('location');
  if (!location) throw new Error(await response.text());
  return new URL(location);
}
const readQuery = ({ searchParams }: URL) => callbackQuery.parse(Object.fromEntries(searchParams));

async function connect(seller: Actor, siteId: number, answer: Answer = {}) {
  const { url } = await startConnection(seller, siteId);
  return completeConnection(seller, siteId, readQuery(await authorize(url, answer)));
}

const connectionOf = async (siteId: number) =>
  (await db().select().from(siteWordpress).where(eq(siteWordpress.siteId, siteId)))[0];

let seller: Actor;
beforeEach(async () => {
  seller = await makeUser('Seller');
});

describe('connecting a site', () => {
  it('stores the password of an author sealed, and shows it nowhere', async () => {
    const { id, host } = await makeProvedSite(seller);
    const { url } = await startConnection(seller, id);
    const back = await authorize(url);
    expect(back.href).toMatch(`${new URL(env().APP_URL).origin}/api/seller/sites/${id}/wordpress/connect?state=`);
    expect(await completeConnection(seller, id, readQuery(back))).toBe('connected');
    const password = back.searchParams.get('password') ?? '';
    const row = await connectionOf(id);
    expect(row).toMatchObject({ host, username: 'author', roles: ['author'], publish: 'draft', state: 'connected' });
    expect(openSecret(wordpressSlot(id), row?.sealedPassword ?? '')).toBe(password);
    const view = await getWordPress(seller.userId, id);
    expect(view).toMatchObject({ state: 'connected', isProved: true, host, username: 'author' });
    const lines = await db()
      .select()
      .from(auditLogs)
      .where(eq(auditLogs.entityId, String(id)));
    expect(lines.map(({ action }) => action)).toEqual(['wordpress.requested', 'wordpress.connected']);
    for (const shown of [view, lines, row]) {
      expect(JSON.stringify(shown)).not.toContain(password);
      expect(JSON.stringify(shown)).not.toContain(back.searchParams.get('state'));
    }
    // A token is used up.
    expect(await completeConnection(seller, id, readQuery(back))).toBe('expired');
    // Another connection replaces the password at WordPress.
    expect(await connect(seller, id)).toBe('connected');
    expect((await wordpressOf(host)).passwords).toHaveLength(1);
  });

  it('refuses what does not belong to the session, the seller, the site and the host that began it', async () => {
    const site = await makeProvedSite(seller);
    const other = await makeProvedSite(seller);
    const stranger = await makeUser('Seller');
    const foreign = await makeProvedSite(stranger);
    const begin = async () => readQuery(await authorize((await startConnection(seller, site.id)).url));
    const complete = completeConnection;
    const results = {
      otherSite: await complete(seller, other.id, await begin()),
      otherSession: await complete({ ...seller, sessionId: 'another' }, site.id, await begin()),
      otherSeller: await complete(stranger, foreign.id, await begin()),
      invented: await complete(seller, site.id, { ...(await begin()), state: 'x'.repeat(43) }),
      otherHost: await complete(seller, site.id, { ...(await begin()), site_url: `https://${other.host}` }),
      noAddress: await complete(seller, site.id, { ...(await begin()), site_url: 'javascript:alert(1)' }),
      wrongPassword: await complete(seller, site.id, { ...(await begin()), password: 'aaaa bbbb cccc dddd' }),
      declined: await connect(seller, site.id, { answer: 'reject' }),
    };
    await setWordPress(site.host, { fail: 'stripped' });
    expect(await connect(seller, site.id)).toBe('refused');
    await setWordPress(site.host, { fail: null });
    expect(results).toEqual({
      ...{ otherSite: 'expired', otherSession: 'expired', otherSeller: 'expired', invented: 'expired' },
      ...{ otherHost: 'other_site', noAddress: 'other_site', wrongPassword: 'refused', declined: 'declined' },
    });
    await expect(complete(stranger, site.id, await begin())).rejects.toMatchObject({ code: 'not_found' });
    const late = await begin();
    await db().update(wordpressRequests).set({ expiresAt: sql`now()` });
    expect(await complete(seller, site.id, late)).toBe('expired');
    for (const { id } of [site, other, foreign]) expect(await connectionOf(id)).toBeUndefined();
    // No password was sent to the host that another address named.
    const sent = await requestsOf(other.host);
    expect(sent.filter(({ headers }) => 'authorization' in headers)).toEqual([]);
  });

  it('needs a proved domain and https', async () => {
    const { id } = await makeProvedSite(seller, false);
    await expect(startConnection(seller, id)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Prove your site first'),
    });
    await expect(startConnection(await makeUser('Seller'), id)).rejects.toMatchObject({ code: 'not_found' });
    const proved = await makeProvedSite(seller);
    const appUrl = env().APP_URL;
    env().APP_URL = 'http://market.example.com';
    await expect(startConnection(seller, proved.id)).rejects.toMatchObject({ code: 'not_configured' });
    env().APP_URL = appUrl;
  });

  it.each(['administrator', 'contributor'] as const)('refuses the role %s and revokes its password', async (role) => {
    const { id, host } = await makeProvedSite(seller);
    expect(await connect(seller, id, { role })).toBe(role);
    expect((await wordpressOf(host)).passwords).toEqual([]);
    expect(await connectionOf(id)).toBeUndefined();
  });

  const elsewhere = 'https://evil.example.org';
  const index = (screen: string) =>
    JSON.stringify({
      namespaces: ['wp/v2'],
      authentication: { 'application-passwords': { endpoints: { authorization: screen } } },
    });
  const cases: [name: string, prepare: (host: string) => Promise<unknown>, found: RegExp | string][] = [
    [
      'a Link header',
      (host) =>
        control('PUT', '/control/pages', {
          url: `https://${host}/`,
          headers: { link: `<https://${host}/?rest_route=/>; rel="https://api.w.org/", <${elsewhere}/x>; rel=next` },
        }),
      'https://HOST/?rest_route=/',
    ],
    [
      'a Link header to another host',
      (host) =>
        control('PUT', '/control/pages', {
          url: `https://${host}/`,
          headers: { link: `<${elsewhere}/wp-json/>; rel="https://api.w.org/"` },
        }),
      /REST API on another domain \(evil\.example\.org\)/,
    ],
    [
      'a redirect to another host',
      (host) => control('PUT', '/control/pages', { url: `https://${host}/`, redirect: `${elsewhere}/` }),
      /leads to https:\/\/evil\.example\.org/,
    ],
    [
      'an API that redirects to another host',
      (host) =>
        control('PUT', '/control/pages', { url: `https://${host}/wp-json/`, redirect: `${elsewhere}/wp-json/` }).then(
          () => setWordPress(host, { isOn: false }),
        ),
      /No WordPress was found/,
    ],
    [
      'a screen on another host',
      (host) =>
        control('PUT', '/control/pages', {
          url: `https://${host}/wp-json/`,
          html: index(`${elsewhere}/wp-admin/authorize-application.php`),
        }),
      /evil\.example\.org, which is not on/,
    ],
    [
      'a screen without https',
      (host) =>
        control('PUT', '/control/pages', {
          url: `https://${host}/wp-json/`,
          html: index(`http://${host}/wp-admin/authorize-application.php`),
        }),
      /must use https/,
    ],
    ['no application passwords', (host) => setWordPress(host, { hasPasswords: false }), /no application passwords/],
    ['an API that is closed', (host) => setWordPress(host, { fail: 'closed' }), /REST API to visitors \(401\)/],
    ['no WordPress', (host) => setWordPress(host, { isOn: false }), /No WordPress was found/],
    [
      'a private address',
      (host) => control('PUT', '/control/names', { name: host, addresses: ['10.0.0.1'] }),
      /must not be opened by this server/,
    ],
  ];
  it.each(cases)('finds its way by %s, or says why not', async (_, prepare, found) => {
    const { id, host } = await makeProvedSite(seller);
    await prepare(host);
    const begun = startConnection(seller, id);
    if (found instanceof RegExp) return expect(begun).rejects.toThrow(found);
    await begun;
    const [request] = await db().select().from(wordpressRequests).where(eq(wordpressRequests.siteId, id));
    expect(request?.apiRoot).toBe(found.replace('HOST', host));
    expect(await completeConnection(seller, id, readQuery(await authorize((await begun).url)))).toBe('connected');
  });
});

const target = 'https://shop.example/spades';
const content = `Gardens need tools.\n\nRead about [the spade](${target}) before you buy one.`;

/** An accepted order of a connected site. */
async function makeOrder(setting: PublishSetting = 'live', brief: Partial<typeof orderBriefs.$inferInsert> = {}) {
  const host = `wp-${++hosts}.example.com`;
  const offer = await makeOffer(10_000, { url: `https://${host}`, urlKey: host }, { seller });
  await prove(seller, host);
  const values = { targetUrl: target, anchor: 'the spade', ...brief };
  await db()
    .insert(orderBriefs)
    .values({ orderId: offer.id, ...values })
    .onConflictDoUpdate({ target: orderBriefs.orderId, set: values });
  await accept(offer);
  expect(await connect(seller, offer.siteId)).toBe('connected');
  await setPublishSetting(seller, offer.siteId, setting);
  return { ...offer, host };
}
const input = (values: object = {}) => publishBody.parse({ title: 'Tools & gardens', content, ...values });
const postsOf = async (host: string) => (await wordpressOf(host)).posts;
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const makeDue = (orderId: number) =>
  db().update(orderPosts).set({ checkAt: sql`now()` }).where(eq(orderPosts.orderId, orderId));

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('publishing an article', () => {
  it('publishes at once, with an image and a category, and delivers the order', async () => {
    const order = await makeOrder();
    expect((await getPublishForm(seller, order.id)).categories).toContainEqual({ id: 3, name: 'Tools & tips' });
    await expect(publishPost(await makeUser('Seller'), order.id, input())).rejects.toMatchObject({ code: 'not_found' });
    const script = { fileName: 'a.png', base64: Buffer.from('<svg/>').toString('base64') };
    const refused = publishPost(seller, order.id, input({ image: script }));
    await expect(refused).rejects.toMatchObject({ code: 'invalid_input' });
    const image = { fileName: 'Mein Bild?.jpeg', base64: pixel };
    const published = await publishPost(seller, order.id, input({ image, categoryId: 2 }));
    const url = `https://${order.host}/tools-gardens/`;
    expect(published).toMatchObject({ isDelivered: true, finding: '', post: { state: 'live', url } });
    expect(await placementOf(order.id)).toMatchObject({ state: 'delivered', deliveredUrl: url });
    const { posts, media } = await wordpressOf(order.host);
    expect(posts).toMatchObject([{ title: 'Tools & gardens', status: 'publish' }]);
    expect(posts[0]?.content).toContain(`<a href="${target}">the spade</a>`);
    expect(media).toEqual([expect.objectContaining({ name: 'Mein-Bild.png' })]);
    // A delivered order waits for its buyer, and the job does not look at it again.
    expect((await db().select().from(orderPosts).where(eq(orderPosts.orderId, order.id)))[0]?.checkAt).toBeNull();
    await expect(publishPost(seller, order.id, input())).rejects.toMatchObject({ code: 'conflict' });
  });

  it('leaves a draft, and delivers the order once its author published it', async () => {
    const order = await makeOrder('draft');
    const draft = await publishPost(seller, order.id, input());
    expect(draft).toMatchObject({ isDelivered: false, post: { state: 'draft', url: null } });
    expect(await placementOf(order.id)).toMatchObject({ state: 'accepted' });
    await makeDue(order.id);
    expect(await deliverPosts()).toEqual({ delivered: 0, waiting: 1, failed: 0 });
    // A changed text changes the same draft.
    await publishPost(seller, order.id, input({ title: 'Tools' }));
    const [post] = await postsOf(order.host);
    await setProved(seller, order.host, false);
    await expect(publishPost(seller, order.id, input())).rejects.toThrow(/Prove your site first/);
    await makeDue(order.id);
    expect(await deliverPosts()).toEqual({ delivered: 0, waiting: 1, failed: 0 });
    await setProved(seller, order.host, true);
    await setWordPress(order.host, { post: { id: post?.id, status: 'publish' } });
    await makeDue(order.id);
    expect(await deliverPosts()).toEqual({ delivered: 1, waiting: 0, failed: 0 });
    expect(await placementOf(order.id)).toMatchObject({ state: 'delivered' });
    expect(await postsOf(order.host)).toHaveLength(1);
  });

  it('schedules for the chosen day, or for the first day of the brief, and delivers then', async () => {
    const order = await makeOrder('schedule', { notBefore: dayIn(3) });
    for (const [day, message] of [
      [undefined, 'Choose the day'],
      [dayIn(-1), 'not over'],
      [dayIn(2), 'or later'],
    ] as const) {
      await expect(publishPost(seller, order.id, input({ day }))).rejects.toThrow(message);
    }
    const { post } = await publishPost(seller, order.id, input({ day: dayIn(4) }));
    expect(post).toMatchObject({ state: 'scheduled', publishAt: `${dayIn(4)}T08:00:00.000Z` });
    await setWordPress(order.host, { publishDue: true });
    await makeDue(order.id);
    expect(await deliverPosts()).toEqual({ delivered: 1, waiting: 0, failed: 0 });
    const sooner = await makeOrder('schedule');
    await publishPost(seller, sooner.id, input({ day: dayIn(4) }));
    await setPublishSetting(seller, sooner.siteId, 'live');
    expect(await publishPost(seller, sooner.id, input())).toMatchObject({ isDelivered: true, post: { state: 'live' } });
    const later = await makeOrder('live', { notBefore: dayIn(3) });
    expect((await publishPost(seller, later.id, input())).post.publishAt).toBe(`${dayIn(3)}T08:00:00.000Z`);
  });

  it('leaves a post live that was published in WordPress meanwhile, and publishes a deleted one again', async () => {
    const order = await makeOrder('draft');
    await publishPost(seller, order.id, input());
    const [draft] = await postsOf(order.host);
    await setWordPress(order.host, { deletePost: draft?.id });
    expect((await publishPost(seller, order.id, input())).post.state).toBe('draft');
    const [again] = await postsOf(order.host);
    await setWordPress(order.host, { post: { id: again?.id, status: 'publish' } });
    expect(await publishPost(seller, order.id, input())).toMatchObject({ isDelivered: true, post: { state: 'live' } });
  });

  it('publishes one post for two requests at once, and for one whose answer was lost', async () => {
    const order = await makeOrder('draft');
    const both = await Promise.allSettled([1, 2].map(() => publishPost(seller, order.id, input())));
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await postsOf(order.host)).toHaveLength(1);
    const lost = await makeOrder('draft');
    await setWordPress(lost.host, { fail: 'lost' });
    await expect(publishPost(seller, lost.id, input())).rejects.toMatchObject({ failure: 'unavailable' });
    await setWordPress(lost.host, { fail: null });
    expect((await publishPost(seller, lost.id, input())).post.state).toBe('draft');
    expect(await postsOf(lost.host)).toHaveLength(1);
    // A post with the title that belongs to another order stays as it is.
    await db().update(orderPosts).set({ postId: null }).where(eq(orderPosts.orderId, lost.id));
    await db()
      .update(orderPosts)
      .set({ host: lost.host, postId: (await postsOf(lost.host))[0]?.id })
      .where(eq(orderPosts.orderId, order.id));
    await publishPost(seller, lost.id, input());
    expect(await postsOf(lost.host)).toHaveLength(2);
  });

  it('says what to do about each failure, and that a revoked password needs a new connection', async () => {
    const order = await makeOrder();
    const image = { fileName: 'a.png', base64: pixel };
    for (const [fail, code, message, state] of [
      ['403', 'unprocessable', /does not allow this to the connected user/, 'connected'],
      ['413', 'too_large', /no file of this size/, 'connected'],
      ['500', 'provider_failed', /answered with an error \(500, /, 'connected'],
      ['page', 'provider_failed', /did not answer as WordPress does/, 'connected'],
      ['stripped', 'unprocessable', /did not pass the sign-in on .*rest_not_logged_in/, 'connected'],
      ['401', 'conflict', /Connect the site again/, 'revoked'],
    ] as const) {
      await setWordPress(order.host, { fail });
      const refused = await publishPost(seller, order.id, input({ image })).catch((thrown: unknown) => thrown);
      expect(refused).toBeInstanceOf(AppError);
      expect(refused).toMatchObject({ code, message: expect.stringMatching(message) });
      const view = await getWordPress(seller.userId, order.siteId);
      expect(view).toMatchObject({ state, lastError: expect.stringMatching(message) });
      expect((await connectionOf(order.siteId))?.sealedPassword === null).toBe(state === 'revoked');
    }
    expect(await placementOf(order.id)).toMatchObject({ state: 'accepted' });
    const told = await db()
      .select()
      .from(notices)
      .where(and(eq(notices.userId, seller.userId), eq(notices.kind, 'site.wordpress_revoked')));
    expect(told).toHaveLength(1);
  });

  it('shows what a filter of WordPress did to the link', async () => {
    const order = await makeOrder('live', { rel: 'sponsored' });
    await setWordPress(order.host, { stripRel: true });
    const html = `<p><a href="${target}" rel="sponsored">the spade</a></p><script>alert(1)</script>`;
    const { finding } = await publishPost(seller, order.id, input({ content: html, format: 'html' }));
    expect(finding).toMatch(/another rel attribute/);
    expect((await postsOf(order.host))[0]?.content).toBe(`<p><a href="${target}">the spade</a></p>alert(1)`);
    expect(await placementOf(order.id)).toMatchObject({ state: 'accepted' });
  });
});

it('restores a link in its post, publishes the post again, and checks the page, or says why it cannot', async () => {
  const { id, host } = await makeOrder();
  await publishPost(seller, id, input());
  const [post] = await postsOf(host);
  expect(await restoreLink(seller, id)).toMatchObject({ change: 'none', wasRepublished: false });
  const edits: [object, object][] = [
    [{ content: '<p>Read about the spade before you buy one.</p>' }, { change: 'link', wasRepublished: false }],
    [{ content: '<p>All is gone.</p>' }, { change: 'paragraph', wasRepublished: false }],
    [{ status: 'trash' }, { change: 'none', wasRepublished: true }],
    [{ password: 'secret' }, { change: 'none', wasRepublished: true }],
  ];
  for (const [edit, expected] of edits) {
    await setWordPress(host, { post: { id: post?.id, ...edit } });
    expect(await restoreLink(seller, id)).toMatchObject({ ...expected, check: { verdict: 'ok', cause: 'repair' } });
  }
  await expect(restoreLink(await makeUser('Seller'), id)).rejects.toMatchObject({ code: 'not_found' });
  await setWordPress(host, { deletePost: post?.id });
  await expect(restoreLink(seller, id)).rejects.toThrow(/was deleted in WordPress/);
  await setWordPress(host, { revoke: true });
  await expect(restoreLink(seller, id)).rejects.toMatchObject({ code: 'conflict', failure: 'revoked' });
  await expect(restoreLink(seller, id)).rejects.toThrow(/Connect the site again/);
  await db().delete(orderPosts).where(eq(orderPosts.orderId, id));
  await expect(restoreLink(seller, id)).rejects.toThrow(/not published through the connection/);
});

describe('disconnecting a site', () => {
  it('revokes the password at WordPress, and forgets it here in any case', async () => {
    const { id, host } = await makeProvedSite(seller);
    await connect(seller, id);
    expect(await disconnectWordPress(seller, id)).toMatchObject({ isRevoked: true });
    expect((await wordpressOf(host)).passwords).toEqual([]);
    await connect(seller, id);
    await setWordPress(host, { fail: '500' });
    expect(await disconnectWordPress(seller, id)).toEqual({
      isRevoked: false,
      message: expect.stringContaining('Revoke the password there'),
    });
    expect(await connectionOf(id)).toBeUndefined();
    await expect(disconnectWordPress(seller, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(setPublishSetting(seller, id, 'live')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('happens with the deletion of the site, alone or with others, of its seller, and when the site is given away', async () => {
    const [first, second] = [await makeProvedSite(seller), await makeProvedSite(seller)];
    const [given, third] = [await makeProvedSite(seller), await makeProvedSite(seller)];
    await connect(seller, third.id);
    await changeOwnSites(seller, ownBulkBody.parse({ ids: [third.id], change: { remove: true } }));
    expect(await connectionOf(third.id)).toBeUndefined();
    await connect(seller, given.id);
    const { userId: ownerId } = await makeUser('Seller');
    await updateSite(await makeUser('Admin'), given.id, updateSiteBody.parse({ userId: ownerId }));
    await connect(seller, first.id);
    await connect(seller, second.id);
    await startConnection(seller, first.id);
    await deleteOwnSite(seller, first.id);
    await deleteUser(await makeUser('Admin'), seller.userId);
    const ids = [first.id, second.id, given.id];
    expect(await db().$count(siteWordpress, inArray(siteWordpress.siteId, ids))).toBe(0);
    expect(await db().$count(wordpressRequests, inArray(wordpressRequests.siteId, ids))).toBe(0);
    expect(await db().$count(sites, inArray(sites.id, ids))).toBe(3);
  });
});
