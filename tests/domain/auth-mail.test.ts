import { eq, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { mails } from '@/db/schema/mails';
import { requestReset } from '@/lib/auth/reset-password';
import { resendVerification } from '@/lib/auth/verify-email';
import { newId } from '@/lib/ids';
import { queueMail } from '@/lib/mail/compose';
import { deliverMails } from '@/lib/mail/deliver';
import { sendTimeoutMs } from '@/lib/mail/send';
import { VerifyEmailMail } from '@/lib/mail/templates/account';
import { makeAccount } from '@/tests/factories/make-account';
import { startMailProvider } from '@/tests/setup/mail-provider';
import { outboxOf, outboxRow } from '@/tests/setup/outbox';

const provider = await startMailProvider();
afterAll(() => provider.close());

beforeEach(async () => {
  provider.line.mode = 'forward';
  Object.assign(provider.line, { retryAfter: '', calls: 0, mostAtOnce: 0 });
  await db().delete(mails);
});

async function queue<To extends string | string[] = string>(
  to: To,
  subject = 'Confirm your email address',
  expiresInSeconds?: number,
): Promise<To> {
  await db().transaction((tx) =>
    queueMail(tx, {
      kind: 'verify-email',
      to,
      subject,
      body: (context) => createElement(VerifyEmailMail, { ...context, url: `${context.appUrl}/verify-email?token=t` }),
      ...(expiresInSeconds !== undefined && { expiresInSeconds }),
    }),
  );
  return to;
}

const makeDue = (to: string) => db().update(mails).set({ nextAttemptAt: sql`now()` }).where(eq(mails.recipient, to));

describe('the outbox', () => {
  it('sends branded HTML and text, and removes line breaks from the subject', async () => {
    const to = await queue(`${newId()}@example.com`, 'Hello\r\nBcc: everybody@example.com');
    expect(await deliverMails()).toMatchObject({ sent: 1, failed: 0 });
    const [mail] = await provider.mailsTo(to);
    expect(mail).toMatchObject({ subject: 'Hello Bcc: everybody@example.com' });
    expect(mail?.html).toContain('LinkMarket');
    expect(mail?.html).toContain('/verify-email?token=t');
    expect(mail?.text).toContain('/verify-email?token=t');
  });

  it('sends links that a user waits for first, then mails to one person, then those to all staff', async () => {
    await queue(Array.from({ length: 30 }, () => `${newId()}@staff.example.com`));
    const ownMail = await queue(`${newId()}@example.com`);
    const link = await queue(`${newId()}@example.com`, undefined, 3_600);
    expect(await deliverMails()).toMatchObject({ sent: 32 });
    const inOrder = await db().select({ to: mails.recipient }).from(mails).orderBy(mails.sentAt);
    const place = (of: string) => inOrder.findIndex(({ to }) => to === of);
    // A batch of ten is sent in no particular order.
    expect(place(link)).toBeLessThan(10);
    expect(place(ownMail)).toBeLessThan(10);
  });

  it('contains no mail of a rolled back transaction', async () => {
    const to = `${newId()}@example.com`;
    const undone = db().transaction(async (tx) => {
      await queueMail(tx, {
        kind: 'verify-email',
        to,
        subject: 'Never',
        body: (context) => createElement(VerifyEmailMail, { ...context, url: '/' }),
      });
      throw new Error('rolled back');
    });
    await expect(undone).rejects.toThrow('rolled back');
    expect(await deliverMails()).toMatchObject({ sent: 0, failed: 0 });
    expect(await provider.mailsTo(to)).toEqual([]);
  });

  it('is processed by several instances concurrently, each mail sent once', async () => {
    const recipients = await Promise.all(Array.from({ length: 25 }, () => queue(`${newId()}@example.com`)));
    const done = await Promise.all([deliverMails(), deliverMails(), deliverMails(), deliverMails()]);
    expect(done.reduce((sum, { sent }) => sum + sent, 0)).toBe(25);
    expect(provider.line.calls).toBe(25);
    for (const to of recipients) expect(await provider.mailsTo(to)).toHaveLength(1);
  });

  it('backs off after each failure, stores the reason, and gives up at the end', async () => {
    provider.line.mode = 'refuse';
    const to = await queue(`${newId()}@example.com`);
    for (const [index, seconds] of [30, 120, 600, 3_600, 21_600, 43_200].entries()) {
      expect(await deliverMails()).toMatchObject({ sent: 0, failed: 1 });
      const row = await outboxRow(to);
      expect(row).toMatchObject({ attempts: index + 1, sentAt: null, failedAt: null });
      expect(row.error).toContain('Busy');
      expect(row.waitSeconds).toBeGreaterThan(seconds - 10);
      expect(row.waitSeconds).toBeLessThanOrEqual(seconds);
      // Not before its retry time.
      expect(await deliverMails()).toMatchObject({ sent: 0, failed: 0 });
      await makeDue(to);
    }
    expect(await deliverMails()).toMatchObject({ sent: 0, failed: 1 });
    expect((await outboxRow(to)).failedAt).toBeInstanceOf(Date);
    await makeDue(to);
    expect(await deliverMails()).toMatchObject({ sent: 0, failed: 0 });
  });

  it('retries after a failure, and stops after a success', async () => {
    provider.line.mode = 'refuse';
    const to = await queue(`${newId()}@example.com`);
    await deliverMails();
    provider.line.mode = 'forward';
    await makeDue(to);
    expect(await deliverMails()).toMatchObject({ sent: 1, failed: 0 });
    await makeDue(to);
    expect(await deliverMails()).toMatchObject({ sent: 0, failed: 0 });
    expect(await provider.mailsTo(to)).toHaveLength(1);
    expect(await outboxRow(to)).toMatchObject({ attempts: 2, error: null, sentAt: expect.any(Date) });
    // The text contained a link that opens an account; it must not stay in the table.
    expect(await outboxOf(to)).toMatchObject([{ sealedBody: null, html: '', text: '' }]);
  });

  it('delivers once although the response to the first attempt was lost', async () => {
    provider.line.mode = 'lose-answer';
    const to = await queue(`${newId()}@example.com`);
    expect(await deliverMails()).toMatchObject({ sent: 0, failed: 1 });
    provider.line.mode = 'forward';
    await makeDue(to);
    expect(await deliverMails()).toMatchObject({ sent: 1, failed: 0 });
    expect(await provider.mailsTo(to)).toHaveLength(1);
  });

  it('delivers once although an instance died between sending and storing the result', async () => {
    const to = await queue(`${newId()}@example.com`);
    const [asItWas] = await db().select({ sealedBody: mails.sealedBody }).from(mails).where(eq(mails.recipient, to));
    await deliverMails();
    await db()
      .update(mails)
      .set({ ...asItWas, sentAt: null, nextAttemptAt: sql`now()` })
      .where(eq(mails.recipient, to));
    expect(await deliverMails()).toMatchObject({ sent: 1, failed: 0 });
    expect(await provider.mailsTo(to)).toHaveLength(1);
  });

  it('gives up at once on an undeliverable mail, and continues with the others', async () => {
    const bad = await queue('no address');
    const good = await queue(`${newId()}@example.com`);
    expect(await deliverMails()).toMatchObject({ sent: 1, failed: 1 });
    expect(await outboxRow(bad)).toMatchObject({ attempts: 1, failedAt: expect.any(Date) });
    expect((await outboxRow(good)).sentAt).toBeInstanceOf(Date);
  });

  it('limits the number of concurrent requests to the provider', async () => {
    const recipients = await Promise.all(Array.from({ length: 12 }, () => queue(`${newId()}@example.com`)));
    expect(await deliverMails()).toMatchObject({ sent: 12, failed: 0 });
    expect(provider.line.mostAtOnce).toBeLessThanOrEqual(2);
    for (const to of recipients) expect(await provider.mailsTo(to)).toHaveLength(1);
  });

  it('counts no attempt at a rate-limited provider, and pauses as long as it requires', async () => {
    Object.assign(provider.line, { mode: 'too-often', retryAfter: '77' });
    const recipients = await Promise.all(Array.from({ length: 8 }, () => queue(`${newId()}@example.com`)));
    for (let round = 1; round <= 9; round += 1) {
      provider.line.calls = 0;
      expect(await deliverMails()).toEqual({ sent: 0, failed: 0, postponed: 8, expired: 0 });
      // Those in flight at that time; the others were not tried.
      expect(provider.line.calls).toBeLessThanOrEqual(2);
      for (const to of recipients) {
        const row = await outboxRow(to);
        expect(row).toMatchObject({
          attempts: 0,
          failedAt: null,
          error: expect.stringContaining('rate_limit_exceeded'),
        });
        expect(row.waitSeconds).toBeGreaterThan(60);
        expect(row.waitSeconds).toBeLessThanOrEqual(77);
        await makeDue(to);
      }
    }
    provider.line.mode = 'forward';
    expect(await deliverMails()).toMatchObject({ sent: 8, failed: 0 });
    for (const to of recipients) expect(await outboxRow(to)).toMatchObject({ attempts: 1 });
  });

  it('continues in the same run when the provider requires one second', async () => {
    Object.assign(provider.line, { mode: 'too-often', retryAfter: '1' });
    const to = await queue(`${newId()}@example.com`);
    const running = deliverMails();
    await vi.waitUntil(() => provider.line.calls === 1);
    provider.line.mode = 'forward';
    expect(await running).toMatchObject({ sent: 1, postponed: 1 });
    expect(await provider.mailsTo(to)).toHaveLength(1);
  });

  it('stops after repeated rate limits in one run', async () => {
    Object.assign(provider.line, { mode: 'too-often', retryAfter: '1' });
    const to = await queue(`${newId()}@example.com`);
    expect(await deliverMails()).toEqual({ sent: 0, failed: 0, postponed: 3, expired: 0 });
    expect(provider.line.calls).toBe(3);
    expect(await outboxRow(to)).toMatchObject({ attempts: 0, failedAt: null });
  });

  it('limits the wait for a response, and does not send again what was delivered', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const asked = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(500));
    provider.line.mode = 'hang';
    const to = await queue(`${newId()}@example.com`);
    expect(await deliverMails()).toMatchObject({ sent: 0, failed: 1 });
    expect(asked).toHaveBeenCalledWith(sendTimeoutMs);
    asked.mockRestore();
    expect(await outboxRow(to)).toMatchObject({ attempts: 1, error: expect.stringMatching(/^No response within/) });
    provider.line.mode = 'forward';
    await makeDue(to);
    expect(await deliverMails()).toMatchObject({ sent: 1, failed: 0 });
    expect(await provider.mailsTo(to)).toHaveLength(1);
  });

  it('drops a mail with an expired link, clears its body and writes an audit line', async () => {
    const late = await queue(`${newId()}@example.com`, 'Set a new password', 3_600);
    const early = await queue(`${newId()}@example.com`, 'Set a new password', 3_600);
    await db().update(mails).set({ expiresAt: sql`now()` }).where(eq(mails.recipient, late));
    expect(await deliverMails()).toEqual({ sent: 1, failed: 0, postponed: 0, expired: 1 });
    expect(await provider.mailsTo(late)).toEqual([]);
    expect(await provider.mailsTo(early)).toHaveLength(1);
    const row = await outboxRow(late);
    expect(row).toMatchObject({ attempts: 0, sentAt: null, failedAt: expect.any(Date) });
    expect(row.error).toBe('Expired before it could be sent.');
    expect(await outboxOf(late)).toMatchObject([{ sealedBody: null, html: '', text: '' }]);
    const audited = await db().select().from(auditLogs).where(eq(auditLogs.entityId, row.id));
    expect(audited).toMatchObject([{ action: 'mail.given_up', details: expect.stringContaining(late) }]);
    expect(await deliverMails()).toMatchObject({ sent: 0, expired: 0 });
  });

  it('drops a backlog of expired mails in several transactions, each with its audit lines', async () => {
    await db().execute(sql`
      insert into mails (id, kind, recipient, subject, expires_at)
      select 'backlog' || n, 'backlog', 'late@example.com', 'Late', now() - interval '1 minute' from generate_series(1, 1200) n`);
    expect(await deliverMails()).toMatchObject({ sent: 0, expired: 1_200 });
    const audited = sql`${auditLogs.action} = 'mail.given_up' and ${auditLogs.entityId} like 'backlog%'`;
    expect(await db().$count(auditLogs, audited)).toBe(1_200);
  });

  it('keeps a mail as long as its link is valid: a day to verify, an hour to reset', async () => {
    const { email } = await makeAccount({ status: 'Pending' });
    await resendVerification(email);
    await requestReset(email);
    const left = await db()
      .select({ kind: mails.kind, hours: sql<number>`extract(epoch from ${mails.expiresAt} - now())::float / 3600` })
      .from(mails)
      .where(eq(mails.recipient, email))
      .orderBy(mails.id);
    expect(left.map(({ kind, hours }) => [kind, Math.round(hours * 100) / 100])).toEqual([
      ['verify-email', 24],
      ['reset-password', 1],
    ]);
  });

  it('stops retrying when the provider may have forgotten the idempotency key', async () => {
    provider.line.mode = 'lose-answer';
    const to = await queue(`${newId()}@example.com`);
    await deliverMails();
    provider.line.mode = 'forward';
    await db()
      .update(mails)
      .set({ firstTriedAt: sql`now() - interval '23 hours 1 minute'`, nextAttemptAt: sql`now()` })
      .where(eq(mails.recipient, to));
    expect(await deliverMails()).toEqual({ sent: 0, failed: 0, postponed: 0, expired: 1 });
    expect(await provider.mailsTo(to)).toHaveLength(1);
  });
});

describe('a queued mail', () => {
  it('has a sealed body bound to its row, and contains no readable link', async () => {
    const [to, other] = [await queue(`${newId()}@example.com`), await queue(`${newId()}@example.com`)];
    const [row] = await db().select().from(mails).where(eq(mails.recipient, to));
    expect(row).toMatchObject({ sealedBody: expect.stringMatching(/^v1\./) });
    expect(JSON.stringify(row)).not.toContain('token=');
    await db()
      .update(mails)
      .set({ sealedBody: row?.sealedBody ?? '' })
      .where(eq(mails.recipient, other));
    expect(await deliverMails()).toMatchObject({ sent: 1, failed: 1 });
    expect(await provider.mailsTo(other)).toEqual([]);
    const failed = await outboxRow(other);
    expect(failed).toMatchObject({ failedAt: expect.any(Date), error: expect.stringContaining('cannot be decrypted') });
    expect(await outboxOf(other)).toMatchObject([{ sealedBody: null }]);
  });
});
