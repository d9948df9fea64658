import { sql } from 'drizzle-orm';
import { NextRequest } from 'next/server';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { db } from '@/db/client';
import { accountInvitations } from '@/db/schema/accounts';
import { emailTokens } from '@/db/schema/email-tokens';
import { events } from '@/db/schema/events';
import { rateLimits } from '@/db/schema/limits';
import { linkHosts } from '@/db/schema/links';
import { notices } from '@/db/schema/notices';
import { webhookEvents } from '@/db/schema/topups';
import { sessions } from '@/db/schema/users';
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '@/db/schema/webhook-endpoints';
import { newId } from '@/lib/ids';
import { makeUser } from '@/tests/factories/make-user';

// Before the environment is parsed.
process.env.CRON_SECRET = 'a-secret-of-the-cron';
const { removeOldRecords } = await import('@/lib/jobs/remove-old-records');
const { runJobs } = await import('@/lib/jobs/jobs');
const { startJobs } = await import('@/lib/jobs/jobs');
const { jobs } = await import('@/lib/jobs/jobs');
const { POST, GET } = await import('@/app/api/jobs/run/route');

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the clean-up', () => {
  it('deletes records that expired 30 days ago, and nothing newer', async () => {
    const { userId } = await makeUser();
    const day = (days: number) => sql`now() + make_interval(days => ${days})`;
    const session = (expires: number, ended: number | null) => ({
      id: newId(),
      userId,
      expiresAt: day(expires),
      endedAt: ended === null ? null : day(ended),
    });
    const kept = [session(1, null), session(-29, null), session(1, -29)];
    await db()
      .insert(sessions)
      .values([...kept, session(-31, null), session(1, -31)]);
    const token = (expires: number, used: number | null) => ({
      id: newId(),
      userId,
      purpose: 'verify-email' as const,
      tokenHash: newId(),
      expiresAt: day(expires),
      usedAt: used === null ? null : day(used),
    });
    await db()
      .insert(emailTokens)
      .values([token(1, null), token(-29, null), token(-31, null), token(1, -31)]);
    await db()
      .insert(rateLimits)
      .values([
        { key: 'over', count: 3, resetsAt: day(-1) },
        { key: 'running', count: 3, resetsAt: day(1) },
      ]);

    const event = (created: number) => ({
      ...{ id: newId(), type: 'order.created', audience: 'buyer' as const, userId, data: {}, createdAt: day(created) },
    });
    const [recent, old] = [event(-29), event(-31)];
    await db().insert(events).values([recent, old]);
    const endpointId = newId();
    await db()
      .insert(webhookEndpoints)
      .values({ id: endpointId, ownerId: userId, url: 'https://hooks.example.com/', events: [], sealedSecret: '' });
    const sent = [recent, old].map(({ id: eventId }) => ({ id: newId(), endpointId, eventId, giveUpAt: day(0) }));
    await db().insert(webhookDeliveries).values(sent);
    const attempt = { url: '', requestHeaders: {}, durationMs: 1 };
    await db()
      .insert(webhookAttempts)
      .values(sent.map(({ id }) => ({ id: newId(), deliveryId: id, ...attempt })));

    const none = {
      rateLimits: 0,
      sessions: 0,
      apiTokens: 0,
      emailTokens: 0,
      mails: 0,
      invitations: 0,
      articles: 0,
      events: 0,
      notices: 0,
      quotes: 0,
      siteViews: 0,
      paymentEvents: 0,
      linkHosts: 0,
      linkChecks: 0,
      payers: 0,
    };
    const invited = { accountId: userId, role: 'buyer' as const, invitedBy: userId };
    await db()
      .insert(accountInvitations)
      .values(
        [-1, 1].map((age) => ({ ...invited, id: newId(), email: newId(), tokenHash: newId(), expiresAt: day(age) })),
      );
    const notice = (age: number) => ({
      userId,
      kind: 'site.approved' as const,
      subject: 'A site',
      createdAt: day(-age),
    });
    await db()
      .insert(notices)
      .values([notice(59), notice(61)]);
    const received = { provider: 'stripe' as const, mode: 'test' as const, type: 'charge.succeeded', payload: {} };
    // An event that was never processed stays until staff have looked at it.
    const paymentEvent = (age: number | null) => ({
      ...{
        ...received,
        id: newId(),
        eventId: newId(),
        receivedAt: day(-200),
        processedAt: age === null ? null : day(-age),
      },
    });
    const keptEvents = [paymentEvent(179), paymentEvent(null)];
    await db()
      .insert(webhookEvents)
      .values([...keptEvents, paymentEvent(181)]);
    await db()
      .insert(linkHosts)
      .values([-2, 0].map((age) => ({ host: `${age}.example.com`, hour: day(age), count: 1 })));
    expect(await removeOldRecords()).toEqual({
      ...{ ...none, rateLimits: 1, sessions: 2, emailTokens: 2, invitations: 1, events: 1, notices: 1 },
      ...{ paymentEvents: 1, linkHosts: 1 },
    });
    const leftEvents = await db().select({ id: webhookEvents.id }).from(webhookEvents);
    expect(leftEvents.map(({ id }) => id).sort()).toEqual(keptEvents.map(({ id }) => id).sort());
    expect(await db().select({ id: events.id }).from(events)).toEqual([{ id: recent.id }]);
    expect(await db().$count(webhookAttempts)).toBe(1);
    const left = await db().select({ id: sessions.id }).from(sessions);
    expect(left.map(({ id }) => id).sort()).toEqual(kept.map(({ id }) => id).sort());
    expect(await db().select({ key: rateLimits.key }).from(rateLimits)).toEqual([{ key: 'running' }]);
    expect(await removeOldRecords()).toEqual(none);
  });

  it('deletes a backlog of several batches in one run', async () => {
    await db().execute(sql`
      insert into rate_limits (key, count, resets_at)
      select 'over ' || n, 1, now() - interval '1 hour' from generate_series(1, 2500) n`);
    expect(await removeOldRecords()).toMatchObject({ rateLimits: 2_500 });
    expect(await db().$count(rateLimits, sql`key like 'over %'`)).toBe(0);
  });
});

describe('jobs', () => {
  it('continue when one fails, and log the failure with its cause', async () => {
    const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const outcomes = await runJobs([
      {
        name: 'broken',
        everySeconds: 1,
        run: () => Promise.reject(new Error('It broke', { cause: 'no connection' })),
      },
      { name: 'sound', everySeconds: 1, run: async () => ({ sent: 2 }) },
    ]);
    expect(outcomes).toEqual([
      { name: 'broken', ok: false, figures: {} },
      { name: 'sound', ok: true, figures: { sent: 2 } },
    ]);
    expect(log.mock.calls.join()).toMatch(/broken.*It broke.*no connection/);
  });

  it('run at their own interval, and never twice at once', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const turns = { quick: 0, slow: 0 };
    const stop = startJobs([
      { name: 'quick', everySeconds: 2, run: async () => ({ turn: ++turns.quick }) },
      {
        name: 'slow',
        everySeconds: 2,
        run: async () => {
          turns.slow += 1;
          await new Promise((resolve) => setTimeout(resolve, 60_000));
          return {};
        },
      },
    ]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(turns.quick).toBeGreaterThan(4);
    expect(turns.slow).toBe(1);
    stop();
    const { quick } = turns;
    await vi.advanceTimersByTimeAsync(120_000);
    expect(turns).toEqual({ quick, slow: 1 });
  });
});

describe('/api/jobs/run', () => {
  const call = (handler: typeof POST, authorization?: string) =>
    handler(
      new NextRequest('http://localhost:3000/api/jobs/run', {
        method: handler === GET ? 'GET' : 'POST',
        headers: authorization ? { authorization } : {},
      }),
      { params: Promise.resolve({}) },
    );

  it.each(['Bearer a-secret-of-the-cron-', 'Bearer a-secret-of-the-cro', 'Bearer x'])('rejects %s', async (given) => {
    expect((await call(POST, given)).status).toBe(401);
  });

  it.each([
    ['POST', POST],
    ['GET', GET],
  ])('runs every job for %s with the secret', async (_, handler) => {
    const answer = await call(handler, 'Bearer a-secret-of-the-cron');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(await answer.json()).toEqual({
      jobs: jobs.map(({ name }) => ({ name, ok: true, figures: expect.any(Object) })),
    });
  });
});
