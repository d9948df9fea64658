import { eq, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { mails } from '@/db/schema/mails';
import { newId } from '@/lib/ids';
import { deliverMails } from '@/lib/mail/deliver';
import { queueMail } from '@/lib/mail/queue';
import { VerifyEmailMail } from '@/lib/mail/templates/verify-email';
import { startMailProvider } from './mail-provider';

const provider = await startMailProvider();
afterAll(() => provider.close());

beforeEach(async () => {
  provider.line.mode = 'forward';
  provider.line.calls = 0;
  await db().delete(mails);
});

async function queue(to = `${newId()}@example.com`, subject = 'Confirm your email address'): Promise<string> {
  await db().transaction((tx) =>
    queueMail(tx, {
      kind: 'verify-email',
      to,
      subject,
      body: (context) => createElement(VerifyEmailMail, { ...context, url: `${context.appUrl}/verify-email?token=t` }),
    }),
  );
  return to;
}

const rowOf = async (to: string) => {
  const [row] = await db()
    .select({
      id: mails.id,
      attempts: mails.attempts,
      sentAt: mails.sentAt,
      failedAt: mails.failedAt,
      error: mails.error,
      waitSeconds: sql<number>`extract(epoch from ${mails.nextAttemptAt} - now())::float`,
    })
    .from(mails)
    .where(eq(mails.recipient, to));
  if (!row) throw new Error(`No mail to ${to}`);
  return row;
};

const makeDue = (to: string) => db().update(mails).set({ nextAttemptAt: sql`now()` }).where(eq(mails.recipient, to));

describe('the outbox', () => {
  it('sends HTML and text, branded, and no line break gets into the subject', async () => {
    const to = await queue(undefined, 'Hello\r\nBcc: everybody@example.com');
    expect(await deliverMails()).toEqual({ sent: 1, failed: 0 });
    const [mail] = await provider.mailsTo(to);
    expect(mail).toMatchObject({ subject: 'Hello Bcc: everybody@example.com' });
    expect(mail?.html).toContain('LinkMarket');
    expect(mail?.html).toContain('/verify-email?token=t');
    expect(mail?.text).toContain('/verify-email?token=t');
  });

  it('holds no mail of a transaction that was rolled back', async () => {
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
    expect(await deliverMails()).toEqual({ sent: 0, failed: 0 });
    expect(await provider.mailsTo(to)).toEqual([]);
  });

  it('is emptied by several instances at once, each mail sent once', async () => {
    const recipients = await Promise.all(Array.from({ length: 25 }, () => queue()));
    const done = await Promise.all([deliverMails(), deliverMails(), deliverMails(), deliverMails()]);
    expect(done.reduce((sum, { sent }) => sum + sent, 0)).toBe(25);
    expect(provider.line.calls).toBe(25);
    for (const to of recipients) expect(await provider.mailsTo(to)).toHaveLength(1);
  });

  it('waits longer after each failure, keeps the reason, and gives up in the end', async () => {
    provider.line.mode = 'refuse';
    const to = await queue();
    for (const [index, seconds] of [30, 120, 600, 3_600, 21_600, 43_200].entries()) {
      expect(await deliverMails()).toEqual({ sent: 0, failed: 1 });
      const row = await rowOf(to);
      expect(row).toMatchObject({ attempts: index + 1, sentAt: null, failedAt: null });
      expect(row.error).toContain('Busy');
      expect(row.waitSeconds).toBeGreaterThan(seconds - 10);
      expect(row.waitSeconds).toBeLessThanOrEqual(seconds);
      // Not before its time.
      expect(await deliverMails()).toEqual({ sent: 0, failed: 0 });
      await makeDue(to);
    }
    expect(await deliverMails()).toEqual({ sent: 0, failed: 1 });
    expect((await rowOf(to)).failedAt).toBeInstanceOf(Date);
    await makeDue(to);
    expect(await deliverMails()).toEqual({ sent: 0, failed: 0 });
  });

  it('sends after a failure, and not again', async () => {
    provider.line.mode = 'refuse';
    const to = await queue();
    await deliverMails();
    provider.line.mode = 'forward';
    await makeDue(to);
    expect(await deliverMails()).toEqual({ sent: 1, failed: 0 });
    await makeDue(to);
    expect(await deliverMails()).toEqual({ sent: 0, failed: 0 });
    expect(await provider.mailsTo(to)).toHaveLength(1);
    expect(await rowOf(to)).toMatchObject({ attempts: 2, error: null, sentAt: expect.any(Date) });
    // The text held a link that opens an account; nobody who reads the table shall have it.
    expect(
      await db().select({ html: mails.html, text: mails.text }).from(mails).where(eq(mails.recipient, to)),
    ).toEqual([{ html: '', text: '' }]);
  });

  it('arrives once although the answer to the first attempt was lost', async () => {
    provider.line.mode = 'lose-answer';
    const to = await queue();
    expect(await deliverMails()).toEqual({ sent: 0, failed: 1 });
    provider.line.mode = 'forward';
    await makeDue(to);
    expect(await deliverMails()).toEqual({ sent: 1, failed: 0 });
    expect(await provider.mailsTo(to)).toHaveLength(1);
  });

  it('arrives once although an instance died between sending and writing it down', async () => {
    const to = await queue();
    const [asItWas] = await db()
      .select({ html: mails.html, text: mails.text })
      .from(mails)
      .where(eq(mails.recipient, to));
    await deliverMails();
    await db()
      .update(mails)
      .set({ ...asItWas, sentAt: null, nextAttemptAt: sql`now()` })
      .where(eq(mails.recipient, to));
    expect(await deliverMails()).toEqual({ sent: 1, failed: 0 });
    expect(await provider.mailsTo(to)).toHaveLength(1);
  });

  it('gives up at once what can never be sent, and goes on with the rest', async () => {
    const bad = await queue('no address');
    const good = await queue();
    expect(await deliverMails()).toEqual({ sent: 1, failed: 1 });
    expect(await rowOf(bad)).toMatchObject({ attempts: 1, failedAt: expect.any(Date) });
    expect((await rowOf(good)).sentAt).toBeInstanceOf(Date);
  });
});
