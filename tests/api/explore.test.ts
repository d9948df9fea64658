import sharp from 'sharp';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { settings } from '@/db/schema/settings';
import { niches } from '@/db/schema/taxonomy';
import { type FlagName, flagKey } from '@/lib/settings/feature-flags';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { appUrl, openClient } from '@/tests/setup/http-client';

const visitor = openClient();
const turn = (name: FlagName, value: boolean) =>
  db()
    .insert(settings)
    .values({ key: flagKey(name), value })
    .onConflictDoUpdate({ target: settings.key, set: { value } });
const read = async (path: string) => {
  const { status, body } = await visitor.get(path);
  return { status, text: String(body) };
};

it('the public catalog exists only while its flag is on, and shows addresses only by the second flag', async () => {
  const { userId } = await makeUser('Seller');
  const site = { name: 'Lighthouse Gazette', url: 'https://lighthouse-gazette.example.com', niche: 'Lighthouses' };
  await db().insert(niches).values({ name: site.niche }).onConflictDoNothing();
  await makeSite(userId, 4_200, { ...site, dr: 100 });

  for (const path of ['/explore', '/explore/lighthouses', '/explore/opengraph-image'])
    expect((await read(path)).status, path).toBe(404);
  expect((await read('/sitemap.xml')).text).not.toContain('<url>');
  expect((await read('/robots.txt')).text).not.toContain('Sitemap');

  await turn('public-catalogue', true);
  const [catalog, niche] = [await read('/explore'), await read('/explore/lighthouses')];
  expect([catalog.status, niche.status]).toEqual([200, 200]);
  expect(catalog.text).toContain('Lighthouses');
  expect(niche.text).toContain('$42.00');
  expect(niche.text).toContain(`<link rel="canonical" href="${appUrl}/explore/lighthouses"/>`);
  expect(niche.text).toMatch(/<meta property="og:image" content="http[^"]+\/explore\/opengraph-image/);
  for (const { text } of [catalog, niche]) {
    expect(text).not.toContain(site.name);
    expect(text).not.toContain('lighthouse-gazette');
  }
  expect((await read('/sitemap.xml')).text).toContain(`<loc>${appUrl}/explore/lighthouses</loc>`);
  expect((await read('/robots.txt')).text).toContain(`Sitemap: ${appUrl}/sitemap.xml`);
  expect((await read('/explore/no-such-niche')).status).toBe(404);

  await turn('public-addresses', true);
  expect((await read('/explore/lighthouses')).text).toContain(site.name);
  await turn('public-addresses', false);
  expect((await read('/explore/lighthouses')).text).not.toContain(site.name);
});

it('the Open Graph picture is a PNG of the size that it declares', async () => {
  await turn('public-catalogue', true);
  const response = await fetch(`${appUrl}/explore/opengraph-image`);
  expect(response.headers.get('content-type')).toBe('image/png');
  expect(await sharp(await response.arrayBuffer()).metadata()).toMatchObject({
    format: 'png',
    width: 1200,
    height: 630,
  });
});
