import { Readable } from 'node:stream';
import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { mails } from '@/db/schema/mails';
import { notices } from '@/db/schema/notices';
import { type OwnershipMethod, ownershipProofs } from '@/db/schema/ownership-proofs';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { parseKeyRing } from '@/lib/platform/secrets';
import { createOwnSite } from '@/lib/sites/create';
import { deleteOwnSite } from '@/lib/sites/delete';
import { ownSiteBody, updateSiteBody } from '@/lib/sites/edit-schemas';
import { importSites } from '@/lib/sites/import/import-sites';
import { checkOwnership } from '@/lib/sites/ownership/check';
import { listOwnershipClaims } from '@/lib/sites/ownership/claims';
import { probeDns } from '@/lib/sites/ownership/probe-dns';
import { recheckOwnership, refreshListings } from '@/lib/sites/ownership/recheck';
import { recordOwnership } from '@/lib/sites/ownership/record';
import { getSiteOwnership, marketplaceHost } from '@/lib/sites/ownership/show';
import { createOwnershipToken, createTokenCheck } from '@/lib/sites/ownership/token';
import { listSellerSites } from '@/lib/sites/seller-queries';
import { updateSite } from '@/lib/sites/update';
import { deleteUser } from '@/lib/workflows/delete-user';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { startPublisher } from '@/tests/setup/start-publisher';

const { control } = startPublisher();

type Page = { html?: string; headers?: object; redirect?: string; status?: number };
const publish = (url: string, page: Page) => control('PUT', '/control/pages', { url, ...page });
const setTexts = (name: string, values: string[]) => control('PUT', '/control/names', { txt: { [name]: values } });

let domains = 0;
/** A listing of a domain that no other test uses. */
async function list(seller: Actor, domain = `own-${++domains}.example.com`, values = {}) {
  const id = await makeSite(seller.userId, 100, { url: `https://${domain}`, urlKey: domain, ...values });
  return { id, ...(await getSiteOwnership(seller.userId, id)) };
}
const ownBody = (url: string) => ownSiteBody.parse({ url, name: 'A', niche: 'x', country: 'y', price: '10' });

type Listing = Awaited<ReturnType<typeof list>>;

const ownershipOf = async (id: number) =>
  (await db().select({ ownership: sites.ownership }).from(sites).where(eq(sites.id, id)))[0]?.ownership;

const proofOf = async ({ userId }: Actor, { domain }: Listing) =>
  (
    await db()
      .select()
      .from(ownershipProofs)
      .where(and(eq(ownershipProofs.sellerId, userId), eq(ownershipProofs.domain, domain)))
  )[0];

/** Makes a proof due, as if a time had passed since its checks. */
const passDays = ({ userId }: Actor, days: number) =>
  db()
    .update(ownershipProofs)
    .set({
      failedAt: sql`${ownershipProofs.failedAt} - make_interval(days => ${days})`,
      nextCheckAt: sql`now()`,
    })
    .where(eq(ownershipProofs.sellerId, userId));

describe('a check of the ownership', () => {
  const head = (html: string, body = '') => `<!doctype html><html><head>${html}</head><body>${body}</body></html>`;
  /** What is published for a listing, and the method that proves it; a message for none. */
  const cases: [name: string, publish: (site: Listing) => Promise<unknown>, OwnershipMethod | RegExp][] = [
    ['a TXT record', ({ methods: { dns } }) => setTexts(dns.name, [dns.value]), 'dns'],
    [
      'a TXT record beside others, in quotes and lower case',
      ({ methods: { dns } }) => setTexts(dns.name, ['v=spf1 -all', `"${dns.value.toLowerCase()}"`]),
      'dns',
    ],
    [
      'a token of no seller',
      ({ methods: { dns } }) => setTexts(dns.name, ['linkmarket-site-verification=ABCDEFGHIJKLMNOPQRSTUVWXYZ']),
      /token that is not yours/,
    ],
    ['only other records', ({ methods: { dns } }) => setTexts(dns.name, ['v=spf1 -all']), /none begins with/],
    ['the file', ({ methods: { file } }) => publish(file.url, { html: file.content }), 'file'],
    [
      'the file with a byte order mark, CRLF, comments and other lines',
      ({ methods: { file } }) =>
        publish(file.url, {
          html: `\uFEFF# proofs\r\nlinkmarket-site-verification=OTHER\r\n  ${file.content} # ours\r\n`,
        }),
      'file',
    ],
    [
      'the file behind a redirect to www',
      async ({ domain, methods: { file } }) => {
        const www = file.url.replace(domain, `www.${domain}`);
        await publish(file.url, { redirect: www });
        await publish(www, { html: file.content });
      },
      'file',
    ],
    [
      'the file on another domain',
      async ({ methods: { file } }) => {
        await publish(file.url, { redirect: 'https://elsewhere.example.net/.well-known/linkmarket.txt' });
        await publish('https://elsewhere.example.net/.well-known/linkmarket.txt', { html: file.content });
      },
      /redirects to https:\/\/elsewhere/,
    ],
    [
      'an upload of a similar name',
      async ({ domain, methods: { file } }) => {
        await publish(file.url, { redirect: '/uploads/linkmarket.txt' });
        await publish(`https://${domain}/uploads/linkmarket.txt`, { html: file.content });
      },
      /Redirects must stay on .*linkmarket\.txt/,
    ],
    [
      'the file behind a redirect without TLS',
      ({ methods: { file } }) => publish(file.url, { redirect: file.url.replace('https', 'http') }),
      /redirects to http:/,
    ],
    [
      'a page instead of the file',
      ({ methods: { file } }) =>
        publish(file.url, { html: `<p>\n${file.content}\n`, headers: { 'content-type': 'text/html' } }),
      /web page instead of a text file/,
    ],
    [
      'an error with the content of the file',
      ({ methods: { file } }) => publish(file.url, { html: file.content, status: 404 }),
      /linkmarket\.txt answered with the status 404/,
    ],
    [
      'the meta element',
      ({ domain, methods: { meta } }) => publish(`https://${domain}/`, { html: head(meta.html) }),
      'meta',
    ],
    ...[
      (meta: string) => head('', meta),
      (meta: string) => head(`<!-- ${meta} -->`),
      (meta: string) => head(`<noscript>${meta}</noscript>`),
      (meta: string) => head(`<template>${meta}</template>`),
      (meta: string) => head(`<script>${meta}</script>`),
      (meta: string) => head('<svg></svg>', meta),
    ].map((hide, index): (typeof cases)[number] => [
      `the meta element outside of the head (${index})`,
      ({ domain, methods: { meta } }) => publish(`https://${domain}/`, { html: hide(meta.html) }),
      /has no meta element/,
    ]),
    ['ads.txt', ({ methods: { adsTxt } }) => publish(adsTxt.url, { html: adsTxt.line }), 'adsTxt'],
    [
      'ads.txt with other lines and spellings',
      ({ token, methods: { adsTxt } }) =>
        publish(adsTxt.url, {
          html: `# ads\r\ngoogle.com, pub-1, DIRECT, f08c\r\n ${marketplaceHost().toUpperCase()} ,${token},direct,x;y # ours`,
        }),
      'adsTxt',
    ],
    [
      'a reseller in ads.txt',
      ({ methods: { adsTxt } }) => publish(adsTxt.url, { html: adsTxt.line.replace('DIRECT', 'RESELLER') }),
      /Only DIRECT proves/,
    ],
    [
      'a comment in ads.txt',
      ({ methods: { adsTxt } }) => publish(adsTxt.url, { html: `# ${adsTxt.line}` }),
      /ads\.txt has no line/,
    ],
    [
      'ads.txt of comment signs, which a search for the end of a line reads again from each',
      ({ methods: { adsTxt } }) => publish(adsTxt.url, { html: `${'#'.repeat(500_000)}\u2028` }),
      /ads\.txt has no line/,
    ],
  ];

  it('proves the domain by each method, and by nothing else', async () => {
    const found = await Promise.all(
      cases.map(async ([name, put, expected]) => {
        const seller = await makeUser('Seller');
        const site = await list(seller, undefined, { status: 'Pending' });
        await put(site);
        const { state, method, problems } = await checkOwnership(seller, site.id);
        const messages = problems.map(({ message }) => message).join(' ');
        const isExpected = typeof expected === 'string' ? method === expected : expected.test(messages);
        const isOwner = (await ownershipOf(site.id)) === 'owner';
        const isConsistent = isOwner === (state === 'verified') && isOwner === (typeof expected === 'string');
        return isExpected && isConsistent ? [] : [[name, state, method, messages]];
      }),
    );
    expect(found.flat()).toEqual([]);
  });

  it('accepts the token of another seller for that seller alone, and lets two sellers prove one domain', async () => {
    const [first, second, third] = [await makeUser('Seller'), await makeUser('Seller'), await makeUser('Seller')];
    const one = await list(first);
    const [two, three] = [await list(second, one.domain), await list(third, `www.${one.domain}`)];
    expect(two.token).not.toBe(one.token);
    expect(three.token).not.toBe(two.token);
    await setTexts(one.methods.dns.name, [one.methods.dns.value]);
    await checkOwnership(first, one.id);
    const { state, problems } = await checkOwnership(second, two.id);
    expect([state, problems.map(({ method }) => method)]).toEqual(['unverified', ['dns', 'file', 'adsTxt', 'meta']]);
    expect((await getSiteOwnership(second.userId, two.id)).proof).toMatchObject({ method: null, problems });
    expect(await Promise.all([one, two, three].map(({ id }) => ownershipOf(id)))).toEqual([
      'owner',
      'contributor',
      'contributor',
    ]);
    await setTexts(one.methods.dns.name, [one.methods.dns.value, two.methods.dns.value]);
    expect(await checkOwnership(second, two.id)).toMatchObject({ state: 'verified', method: 'dns', problems: [] });
    expect(await ownershipOf(two.id)).toBe('owner');
    // Claims are for staff; a seller sees the own state without any other seller.
    const claims = await listOwnershipClaims(one.domain);
    expect(claims.map(({ sellerId, proof }) => [sellerId, proof?.method ?? null])).toEqual([
      [first.userId, 'dns'],
      [second.userId, 'dns'],
      [third.userId, null],
    ]);
    const [row] = (await listSellerSites(third.userId, { limit: 10, offset: 0 })).rows;
    expect(row).toMatchObject({ ownership: 'contributor', ownershipMethod: null });
    expect(JSON.stringify([row, await getSiteOwnership(third.userId, three.id)])).not.toContain(first.userId);
    await expect(checkOwnership(second, one.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(getSiteOwnership(second.userId, one.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('follows listings that are created, moved, given away and deleted, and accounts that are deleted', async () => {
    const [admin, owner, other] = [await makeUser('Admin'), await makeUser('Seller'), await makeUser('Seller')];
    const proved = await list(owner);
    await setTexts(proved.methods.dns.name, [proved.methods.dns.value]);
    await Promise.all([checkOwnership(owner, proved.id), checkOwnership(owner, proved.id)]);
    const body = ownBody(`https://blog.${proved.domain}/`);
    expect(await createOwnSite(other, body)).toMatchObject({ ownership: 'contributor', ownershipMethod: null });
    const importer = await makeUser('Seller');
    const file = `url,name,price\nhttps://in.${proved.domain},In,10\nhttps://free.example.net,Free,10\n`;
    await importSites(importer, { file: Readable.from([Buffer.from(file)]), name: 'sites.csv', audience: 'seller' });
    const imported = (await listSellerSites(importer.userId, { limit: 10, offset: 0 })).rows;
    expect(imported.map(({ name, ownership }) => [name, ownership])).toEqual([
      ['Free', null],
      ['In', 'contributor'],
    ]);
    const moved = await list(other);
    const change = (id: number, version: number, body: object) =>
      updateSite(admin, id, updateSiteBody.parse({ version, ...body }));
    await change(moved.id, 1, { url: `https://moved.${proved.domain}` });
    expect(await ownershipOf(moved.id)).toBe('contributor');
    await change(moved.id, 2, { userId: owner.userId });
    expect(await ownershipOf(moved.id)).toBe('owner');
    await change(moved.id, 3, { userId: other.userId });
    await deleteOwnSite(owner, proved.id);
    expect(await ownershipOf(moved.id)).toBeNull();
    const again = await createOwnSite(owner, ownBody(`https://${proved.domain}`));
    expect(again).toMatchObject({ ownership: 'owner', ownershipMethod: 'dns' });
    expect(await ownershipOf(moved.id)).toBe('contributor');
    await deleteUser(admin, owner.userId);
    expect(await ownershipOf(moved.id)).toBeNull();
    expect(await proofOf(owner, proved)).toBeUndefined();
  });
});

describe('a proof', () => {
  it('is lost by two failures a week apart, told to the seller, and can be restored', async () => {
    const seller = await makeUser('Seller');
    const site = await list(seller);
    await setTexts(site.methods.dns.name, [site.methods.dns.value]);
    await checkOwnership(seller, site.id);
    const first = await proofOf(seller, site);
    const days = ((first?.nextCheckAt?.getTime() ?? 0) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(28.9);
    expect(days).toBeLessThanOrEqual(30);
    // A success that is repeated keeps the first time.
    await passDays(seller, 0);
    expect(await recheckOwnership()).toMatchObject({ checked: 1, failed: 0 });
    expect((await proofOf(seller, site))?.verifiedAt).toEqual(first?.verifiedAt);

    await setTexts(site.methods.dns.name, []);
    expect(await checkOwnership(seller, site.id)).toMatchObject({ state: 'verified', method: 'dns' });
    await passDays(seller, 6);
    await recheckOwnership();
    expect(await ownershipOf(site.id)).toBe('owner');
    // A success in between begins a new week.
    await setTexts(site.methods.dns.name, [site.methods.dns.value]);
    await passDays(seller, 0);
    await recheckOwnership();
    await setTexts(site.methods.dns.name, []);
    await passDays(seller, 0);
    await recheckOwnership();
    expect(await ownershipOf(site.id)).toBe('owner');
    await passDays(seller, 7);
    await Promise.all([recheckOwnership(), checkOwnership(seller, site.id), recheckOwnership()]);
    expect(await ownershipOf(site.id)).toBeNull();
    expect(await proofOf(seller, site)).toMatchObject({ method: null, verifiedAt: null, nextCheckAt: null });
    const told = await db().select().from(notices).where(eq(notices.userId, seller.userId));
    expect(told.map(({ kind, subject }) => [kind, subject])).toEqual([['site.ownership_lost', site.domain]]);
    const mailed = await db().select().from(mails).where(eq(mails.recipient, seller.email));
    expect(mailed.map(({ kind }) => kind)).toEqual(['seller-ownership']);

    await setTexts(site.methods.dns.name, [site.methods.dns.value]);
    expect(await checkOwnership(seller, site.id)).toMatchObject({ state: 'verified', method: 'dns' });
    expect(await ownershipOf(site.id)).toBe('owner');
  });

  it('is not lost while the installation is cut off, and is dropped when its seller lists the domain no more', async () => {
    const seller = await makeUser('Seller');
    const site = await list(seller);
    await setTexts(site.methods.dns.name, [site.methods.dns.value]);
    await checkOwnership(seller, site.id);
    const claim = { sellerId: seller.userId, domain: site.domain };
    const cutOff = { ...claim, method: null, problems: [], isOurs: true };
    expect(await db().transaction((tx) => recordOwnership(tx, seller, cutOff))).toMatchObject({ failedAt: null });
    await db().update(sites).set({ ownership: 'contributor' }).where(eq(sites.id, site.id));
    const unproved = await list(seller, undefined, { ownership: 'contributor' });
    await refreshListings();
    expect(await ownershipOf(site.id)).toBe('owner');
    expect(await ownershipOf(unproved.id)).toBeNull();
    await deleteOwnSite(seller, site.id);
    await passDays(seller, 0);
    expect(await recheckOwnership()).toMatchObject({ dropped: 1 });
    expect(await proofOf(seller, site)).toBeUndefined();
  });

  it('accepts tokens of every key in the ring, and of no other', () => {
    const key = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
    const [old, rotated, fresh] = [key('a', 1), `${key('b', 2)},${key('a', 1)}`, key('b', 2)].map(parseKeyRing);
    const claim = { sellerId: 'seller', domain: 'example.org' };
    const token = createOwnershipToken(claim, old);
    expect(token).toMatch(/^[A-Z2-7]{26}$/);
    expect(createTokenCheck(claim, rotated)(` ${token.toLowerCase()} `)).toBe(true);
    expect(createTokenCheck(claim, fresh)(token)).toBe(false);
    expect(createTokenCheck({ ...claim, sellerId: 'other' }, rotated)(token)).toBe(false);
    expect(createTokenCheck({ ...claim, domain: 'www.example.org' }, rotated)(token)).toBe(false);
  });

  it('is read from joined strings, and not through a CNAME for every name', async () => {
    const isToken = (text: string) => text === 'TOKEN';
    const lookup = (cname: (name: string) => string[]) => ({
      txt: async () => [['linkmarket-site-', 'verification=TOKEN']],
      cname: async (name: string) => cname(name),
      soa: async () => ({}),
    });
    const probe = (cname: (name: string) => string[]) => probeDns('site.org', isToken, lookup(cname));
    expect(await probe(() => [])).toEqual({ message: null });
    expect(await probe((name) => (name.startsWith('_linkmarket.') ? ['proof.agency.net'] : []))).toEqual({
      message: null,
    });
    expect((await probe(() => ['parked.host.net'])).message).toContain(
      'Every name below site.org leads to parked.host.net',
    );
  });
});
