import { and, asc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { listTasks } from '@/app/(admin)/dashboard/_components/attention-card';
import { db } from '@/db/client';
import { apiKeys } from '@/db/schema/api-keys';
import { auditLogs } from '@/db/schema/audit';
import { domainFigures } from '@/db/schema/domain-figures';
import { domainRatingChecks, domainRatingUse } from '@/db/schema/domain-ratings';
import { serviceAnswers } from '@/db/schema/service-answers';
import { settings } from '@/db/schema/settings';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids';
import { testIntegration } from '@/lib/integrations/test-integration';
import { getSiteDomain } from '@/lib/network/registrable-domain';
import { secondsFromNow } from '@/lib/platform/leases';
import { createApiKey, deleteApiKey, listApiKeys, updateApiKey } from '@/lib/settings/api-keys';
import { askAhrefs } from '@/lib/sites/domain-figures/ahrefs/ask-ahrefs';
import { saveRatingBudget } from '@/lib/sites/domain-figures/ahrefs/budget';
import { getRatingStatus } from '@/lib/sites/domain-figures/ahrefs/rating-use';
import {
  areRatingsOn,
  queueDomainRatings,
  refreshDomainRatings,
} from '@/lib/sites/domain-figures/ahrefs/refresh-domain-ratings';
import { rateDomain } from '@/sandbox/ahrefs/routes';
import { type RunningGateway, startGateway } from '@/sandbox/start';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

let gateway: RunningGateway;
let admin: Actor;
let ownerId: string;
const key = 'ahrefs-sandbox-secret';

beforeAll(async () => {
  gateway = await startGateway({ port: 0, appUrl: 'http://127.0.0.1:9', stripeWebhookSecret: 'whsec_unused' });
  env().AHREFS_BASE_URL = gateway.url;
  admin = await makeUser('Admin');
  ownerId = (await makeUser('Seller')).userId;
});
afterAll(() => gateway.close());

const post = (path: string, body: object) =>
  fetch(`${gateway.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
const control = (controls: object) => post('/controls/ahrefs', controls);
const requested = async () =>
  z.object({ requests: z.array(z.string()) }).parse(await (await fetch(`${gateway.url}/controls/ahrefs`)).json())
    .requests;

beforeEach(async () => {
  await post('/controls/reset', {});
  for (const table of [domainRatingChecks, domainRatingUse, apiKeys, settings, serviceAnswers])
    await db().delete(table);
  await db().update(sites).set({ deletedAt: sql`now()` });
  await createApiKey(admin, { name: 'Ahrefs', provider: 'Ahrefs', key });
});

async function addSites(...names: string[]) {
  for (const name of names) {
    const url = `https://${name}.example.com`;
    const [domain, urlKey] = [getSiteDomain(url), `${name}.example.com`];
    await makeSite(ownerId, 1_000, { url, domain, urlKey, dr: 12 });
  }
  await queueDomainRatings();
}

const ofDomain = (name: string) => eq(domainRatingChecks.domain, `${name}.example.com`);
const figuresOf = (name: string) =>
  db()
    .select()
    .from(domainFigures)
    .where(and(eq(domainFigures.domain, `${name}.example.com`), eq(domainFigures.source, 'ahrefs')))
    .orderBy(asc(domainFigures.id));
const checkOf = async (name: string) => (await db().select().from(domainRatingChecks).where(ofDomain(name)))[0];
const makeDue = (name: string) =>
  db()
    .update(domainRatingChecks)
    .set({ nextCheckAt: new Date(0) })
    .where(ofDomain(name));
const endPause = () => db().update(domainRatingUse).set({ pausedUntil: null });
const pauseSeconds = async () => {
  const pause = sql<number>`extract(epoch from ${domainRatingUse.pausedUntil} - now())::int`;
  return (await db().select({ pause }).from(domainRatingUse))[0]?.pause ?? null;
};
const onlyKey = async () => {
  const [stored] = await listApiKeys();
  if (!stored) throw new Error('There is no key.');
  return stored;
};

describe('the Domain Rating by Ahrefs', () => {
  it('is stored with its source and day, and a repeat on the same day writes nothing', async () => {
    await addSites('rated');
    expect(await refreshDomainRatings()).toMatchObject({ rated: 1, failed: 0 });
    const value = rateDomain('rated.example.com');
    const asOf = new Date().toISOString().slice(0, 10);
    expect(await figuresOf('rated')).toMatchObject([{ metric: 'dr', value, source: 'ahrefs', asOf, siteId: null }]);
    const [site] = await db().select().from(sites).where(eq(sites.domain, 'rated.example.com'));
    expect(site).toMatchObject({ dr: value, isDrMeasured: true, figureSources: { dr: { source: 'ahrefs', asOf } } });
    // Asked for again after 30 days.
    expect(await refreshDomainRatings()).toMatchObject({ rated: 0 });
    await makeDue('rated');
    expect(await refreshDomainRatings()).toMatchObject({ rated: 1 });
    expect(await figuresOf('rated')).toHaveLength(1);
  });

  it('is asked for first for domains on sale, never measured first, then the oldest', async () => {
    const daysAgo = (days: number) => secondsFromNow(-86_400 * days);
    await addSites('old', 'older', 'fresh', 'unseen', 'draft');
    await db().update(sites).set({ status: 'Pending' }).where(eq(sites.domain, 'draft.example.com'));
    await queueDomainRatings();
    for (const [name, days] of [
      ['old', 31],
      ['older', 40],
      ['fresh', 29],
    ] as const) {
      const values = { checkedAt: daysAgo(days), nextCheckAt: daysAgo(days - 30) };
      await db().update(domainRatingChecks).set(values).where(ofDomain(name));
    }
    // A domain whose only listing was deleted, also before the queue notices.
    await addSites('gone');
    await db().update(sites).set({ deletedAt: sql`now()` }).where(eq(sites.domain, 'gone.example.com'));
    await control({ slowMs: 20 });
    for (const _ of [1, 2, 3, 4]) {
      const { requestsToday } = await getRatingStatus();
      await db().delete(settings);
      await saveRatingBudget(admin, { requestsPerDay: requestsToday + 1, version: 0 });
      await refreshDomainRatings();
    }
    const names = (await requested()).map((target) => target.split('.')[0]);
    expect(names).toEqual(['unseen', 'older', 'old', 'draft']);
    await queueDomainRatings();
    expect(await checkOf('gone')).toBeUndefined();
  });

  it('stays within the budget of a day over instances at once, and 0 sends nothing', async () => {
    await addSites('one', 'two', 'three', 'four', 'five', 'six');
    await saveRatingBudget(admin, { requestsPerDay: 4, version: 0 });
    const runs = await Promise.all([refreshDomainRatings(), refreshDomainRatings(), refreshDomainRatings()]);
    expect(runs.reduce((sum, { rated }) => sum + rated, 0)).toBe(4);
    const targets = await requested();
    expect([targets.length, new Set(targets).size]).toEqual([4, 4]);
    expect(await getRatingStatus()).toMatchObject({ requestsToday: 4, domains: { total: 6, rated: 4, unknown: 0 } });
    // The next day begins anew.
    await db().update(domainRatingUse).set({ day: '2026-01-01' });
    expect((await getRatingStatus()).requestsToday).toBe(0);
    await saveRatingBudget(admin, { requestsPerDay: 0, version: 1 });
    expect([await areRatingsOn(), await refreshDomainRatings()]).toMatchObject([false, { rated: 0 }]);
    await saveRatingBudget(admin, { requestsPerDay: 1_000, version: 2 });
    expect([await areRatingsOn(), await refreshDomainRatings()]).toMatchObject([true, { rated: 2 }]);
  });

  it('asks again for a domain whose process died', async () => {
    await addSites('lost');
    // As a process leaves it.
    await db()
      .update(domainRatingChecks)
      .set({ nextCheckAt: secondsFromNow(300) });
    expect(await refreshDomainRatings()).toMatchObject({ rated: 0 });
    await db()
      .update(domainRatingChecks)
      .set({ nextCheckAt: secondsFromNow(-1) });
    expect(await refreshDomainRatings()).toMatchObject({ rated: 1 });
  });
});

describe('after a failure', () => {
  it.each([
    ['a limit with Retry-After', { answer: 'limited', retryAfter: '120' }, 120],
    ['a limit until a date', { answer: 'limited', retryAfter: new Date(Date.now() + 900_000).toUTCString() }, 900],
    ['a limit without a time', { answer: 'limited' }, 60],
    ['an error of the server', { answer: 'error' }, 60],
    ['an unexpected form', { answer: 'malformed' }, 60],
    ['a closed connection', { answer: 'down' }, 60],
  ])('such as %s, all instances pause', async (_, controls, seconds) => {
    const log = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const name = newId();
    await addSites(name);
    await control(controls);
    await refreshDomainRatings();
    const pause = await pauseSeconds();
    expect(pause).toBeGreaterThan(seconds - 30);
    expect(pause).toBeLessThanOrEqual(seconds);
    await control({ answer: 'normal' });
    await refreshDomainRatings();
    expect(await requested()).toHaveLength(1);
    expect(await getRatingStatus()).toMatchObject({
      pausedUntil: expect.any(Date),
      lastError: { message: expect.stringMatching(/^Ahrefs /) },
    });
    expect(await onlyKey()).toMatchObject({ answer: { ok: false } });
    // Only a limit says nothing about the domain, which then keeps its place.
    await endPause();
    if (controls.answer !== 'limited') await makeDue(name);
    expect(await figuresOf(name)).toEqual([]);
    expect(await refreshDomainRatings()).toMatchObject({ rated: 1 });
    expect(await figuresOf(name)).toHaveLength(1);
    log.mockRestore();
  });

  it('repeated, the pause doubles', async () => {
    await addSites('doubled');
    await control({ answer: 'error' });
    for (const seconds of [60, 120, 240]) {
      await endPause();
      await makeDue('doubled');
      await refreshDomainRatings();
      expect(await pauseSeconds()).toBeGreaterThan(seconds - 10);
    }
    await control({ answer: 'normal' });
    await endPause();
    await makeDue('doubled');
    expect(await refreshDomainRatings()).toMatchObject({ rated: 1 });
    expect((await db().select().from(domainRatingUse))[0]?.failures).toBe(0);
  });

  it('a domain that Ahrefs does not know waits as long as a measured one, and does not hold up others', async () => {
    await addSites('unknown', 'known');
    await control({ unknown: ['unknown.example.com'] });
    expect(await refreshDomainRatings()).toMatchObject({ rated: 1, unknown: 1, failed: 0 });
    expect(await checkOf('unknown')).toMatchObject({ isUnknown: true });
    expect(await figuresOf('unknown')).toEqual([]);
    expect(await refreshDomainRatings()).toMatchObject({ rated: 0, unknown: 0 });
    expect(await getRatingStatus()).toMatchObject({ domains: { rated: 1, unknown: 1 }, lastError: null });
    expect(await onlyKey()).toMatchObject({ answer: { ok: true } });
  });
});

describe('when Ahrefs denies each request, as after a change of its API', () => {
  it('no domain counts as unknown, the requests pause, and a test of the key fails', async () => {
    await addSites('one', 'two', 'three');
    await control({ answer: 'denied' });
    const { unknown, rated } = await refreshDomainRatings();
    expect([unknown, rated]).toEqual([0, 0]);
    const targets = await requested();
    expect(targets).toContain('ahrefs.com');
    expect(await getRatingStatus()).toMatchObject({
      requestsToday: targets.length,
      pausedUntil: expect.any(Date),
      domains: { unknown: 0 },
      lastError: { message: 'Ahrefs answered with status 400: bad target' },
    });
    expect(await testIntegration(admin, { name: 'ahrefs' })).toMatchObject({ ok: false });
  });
});

describe('a key that Ahrefs refuses', () => {
  const task = 'Replace the refused Ahrefs key';
  const hasTask = async () => (await listTasks(admin)).some(({ label }) => label === task);

  it.each([
    ['unauthorized', 401],
    ['forbidden', 403],
  ])('(%s) stops the requests with a task for staff, until it is changed', async (answer, status) => {
    await addSites('stopped', 'waiting');
    await control({ answer });
    await refreshDomainRatings();
    const sent = (await requested()).length;
    await endPause();
    await control({ answer: 'normal' });
    await refreshDomainRatings();
    expect(await requested()).toHaveLength(sent);
    expect(await hasTask()).toBe(true);
    expect(await getRatingStatus()).toMatchObject({
      isRefused: true,
      lastError: { message: expect.stringContaining(`(${status})`) },
    });
    // Another name is no other key.
    const { id, version } = await onlyKey();
    await updateApiKey(admin, { id, version, name: 'Ratings', provider: 'Ahrefs', key: '' });
    expect(await refreshDomainRatings()).toMatchObject({ rated: 0 });
    await updateApiKey(admin, { id, version: version + 1, name: 'Ratings', provider: 'Ahrefs', key: `${key}2` });
    expect([await hasTask(), (await getRatingStatus()).isRefused]).toEqual([false, false]);
    expect(await refreshDomainRatings()).toMatchObject({ rated: 2 });
  });

  it('is used again when a test succeeds, as after a change at Ahrefs, and a deleted key is not used', async () => {
    await addSites('tested');
    await control({ answer: 'forbidden' });
    expect(await testIntegration(admin, { name: 'ahrefs' })).toEqual({
      ok: false,
      message: 'Ahrefs refuses the key (403): Forbidden',
    });
    expect(await hasTask()).toBe(true);
    await control({ answer: 'normal' });
    expect(await testIntegration(admin, { name: 'ahrefs' })).toEqual({ ok: true, message: 'Ahrefs accepts the key.' });
    expect(await hasTask()).toBe(false);
    const { id, version } = await onlyKey();
    await deleteApiKey(admin, { id, version });
    expect([await areRatingsOn(), await refreshDomainRatings()]).toMatchObject([false, { rated: 0 }]);
    expect((await getRatingStatus()).hasKey).toBe(false);
  });

  it('never appears in what is stored about the requests', async () => {
    await addSites('silent');
    await control({ answer: 'unauthorized' });
    await refreshDomainRatings();
    const tables = await Promise.all([domainRatingUse, domainRatingChecks, serviceAnswers, auditLogs].map(readAll));
    expect(JSON.stringify([...tables, await getRatingStatus()])).not.toContain(key);
    expect(JSON.stringify(await askAhrefs(`${key}-wrong`, 'example.com'))).not.toContain(key);
  });
});

const readAll = (
  table: typeof domainRatingUse | typeof domainRatingChecks | typeof serviceAnswers | typeof auditLogs,
) => db().select().from(table);
