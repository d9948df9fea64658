import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { mails } from '@/db/schema/mails';
import { newId } from '@/lib/ids';
import { listIntegrations } from '@/lib/integrations/list';
import { testIntegration } from '@/lib/integrations/test-integration';
import { sealBody } from '@/lib/mail/compose';
import { batches, deliverMails, parallelSends } from '@/lib/mail/deliver';
import { sendMail, sendTimeoutMs } from '@/lib/mail/send';
import { type MailSender, sendBySmtp, smtpTimeoutMs } from '@/lib/mail/smtp';
import { makeUser } from '@/tests/factories/make-user';
import { outboxRow } from '@/tests/setup/outbox';
import { createCertificate, startSmtpServer } from '@/tests/setup/smtp-server';

const password = 'p@ss/wörd:1%';
const server = await startSmtpServer({ user: 'app@example.com', password });
Object.assign(process.env, {
  SMTP_URL: `smtp://app%40example.com:${encodeURIComponent(password)}@localhost:${server.port}`,
  // Makes verification mandatory, which it is by default for a server on another machine.
  SMTP_CA: server.trusted.cert.replaceAll('\n', '\\n'),
  MAIL_FROM: 'LinkMarket <no-reply@links.example.com>',
});
afterAll(() => server.close());

beforeEach(async () => {
  server.reset();
  await db().delete(mails);
});

const link = 'https://links.example.com/reset?token=secret-link';

type Queued = { to?: string; subject?: string; text?: string; sender?: MailSender };

async function queue({
  to = `${newId()}@example.com`,
  subject = 'Set a new password',
  text = link,
  sender,
}: Queued = {}) {
  const id = newId();
  const sealedBody = sealBody(id, { html: `<p>Zażółć</p><a href="${link}">Set it</a>`, text, sender });
  await db().insert(mails).values({ id, kind: 'reset-password', recipient: to, subject, sealedBody });
  return to;
}

/** Makes a mail due now, and its first attempt older by some seconds. */
const makeDue = (to: string, agoSeconds = 0) =>
  db()
    .update(mails)
    .set({
      nextAttemptAt: sql`now()`,
      firstTriedAt: sql`${mails.firstTriedAt} - make_interval(secs => ${agoSeconds})`,
    })
    .where(eq(mails.recipient, to));

/** The time for one mail becomes short. */
function shortenTimeout() {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  return vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(800));
}

/** An admin's test mail, which also ends the pause after a refused login. */
const testAsAdmin = async () => testIntegration(await makeUser('Admin'), { name: 'smtp' });

describe('SMTP', () => {
  it('delivers over STARTTLS with a login, and clears the body', async () => {
    const to = await queue();
    expect(await deliverMails()).toEqual({ sent: 1, failed: 0, postponed: 0, expired: 0 });
    const [mail] = server.mailsTo(to);
    const { id, sealedBody, sentAt } = await outboxRow(to);
    expect({ sealedBody, sentAt }).toEqual({ sealedBody: null, sentAt: expect.any(Date) });
    expect(server.seen).toMatchObject({ logins: 1, encrypted: 1, senders: ['no-reply@links.example.com'] });
    expect(mail?.messageId).toBe(`<${id}@links.example.com>`);
    expect(mail?.raw).toMatch(/^From: LinkMarket <no-reply@links\.example\.com>\r$/m);
    expect(mail?.raw).toMatch(new RegExp(`^To: ${to}\\r$`, 'm'));
    expect(mail?.raw).toContain('Content-Type: text/plain; charset=utf-8');
    expect(mail?.raw).toContain('Content-Type: text/html; charset=utf-8');
  });

  it('sends each mail once when several instances deliver at once, on few connections', async () => {
    const recipients = await Promise.all(Array.from({ length: 25 }, () => queue()));
    const done = await Promise.all([deliverMails(), deliverMails(), deliverMails()]);
    expect(done.reduce((sum, { sent }) => sum + sent, 0)).toBe(25);
    expect(server.stored.map(({ to }) => to).sort()).toEqual([...recipients].sort());
    expect(server.seen.connections).toBe(25);
    expect(server.seen.mostAtOnce).toBeLessThanOrEqual(3 * parallelSends + 2);
  });

  it('keeps a lease until every mail of a batch was sent or timed out', () => {
    const longest = (size: number, timeoutMs: number) => (Math.ceil(size / parallelSends) * timeoutMs) / 1000;
    expect(batches.SMTP.leaseSeconds).toBeGreaterThan(longest(batches.SMTP.size, smtpTimeoutMs));
    expect(batches.Resend.leaseSeconds).toBeGreaterThan(longest(batches.Resend.size, sendTimeoutMs));
  });
});

describe('a refused mail', () => {
  it('to an unknown recipient is given up, and the others are sent', async () => {
    const [bad, good] = [await queue(), await queue()];
    server.rules.recipient = (address) => (address === bad ? { code: 550, text: '5.1.1 No such user' } : null);
    expect(await deliverMails()).toMatchObject({ sent: 1, failed: 1 });
    expect(await outboxRow(bad)).toMatchObject({
      attempts: 1,
      failedAt: expect.any(Date),
      sealedBody: null,
      error: 'The SMTP server answered: 550 5.1.1 No such user',
    });
    expect(server.mailsTo(good)).toHaveLength(1);
  });

  it('by greylisting waits longer each time without losing attempts, and arrives once', async () => {
    const [grey, other] = [await queue(), await queue()];
    server.rules.recipient = (address) => (address === grey ? { code: 450, text: '4.2.0 Greylisted' } : null);
    expect(await deliverMails()).toMatchObject({ sent: 1, failed: 0, postponed: 1 });
    expect(server.mailsTo(other)).toHaveLength(1);
    expect(await outboxRow(grey)).toMatchObject({
      attempts: 0,
      waitSeconds: 60,
      error: expect.stringContaining('450'),
    });
    // Ten minutes after the first attempt, and two hours after it.
    for (const [ago, wait] of [
      [600, 600],
      [7_200, 3_600],
    ] as const) {
      await makeDue(grey, ago);
      expect(await deliverMails()).toMatchObject({ sent: 0, postponed: 1 });
      const row = await outboxRow(grey);
      expect(row).toMatchObject({ attempts: 0, failedAt: null });
      expect(Math.abs(row.waitSeconds - wait)).toBeLessThan(10);
    }
    server.rules.recipient = () => null;
    await makeDue(grey);
    expect(await deliverMails()).toMatchObject({ sent: 1 });
    expect(server.mailsTo(grey)).toHaveLength(1);
  });

  it('by greylisting for a whole day is given up with an audit line', async () => {
    const to = await queue();
    server.rules.recipient = () => ({ code: 451, text: '4.7.1 Try again later' });
    await deliverMails();
    await makeDue(to, 23 * 3_600 + 60);
    expect(await deliverMails()).toMatchObject({ expired: 1 });
    const row = await outboxRow(to);
    expect(row).toMatchObject({ failedAt: expect.any(Date), sealedBody: null, error: expect.stringContaining('451') });
    const audited = await db().select().from(auditLogs).where(eq(auditLogs.entityId, row.id));
    expect(audited).toMatchObject([{ action: 'mail.given_up' }]);
  });

  it.each([
    ['for its content is given up', { code: 554, text: '5.6.0 Malformed' }, 1, null],
    ['as too large is given up', { code: 552, text: '5.3.4 Too large' }, 1, null],
    ['by a policy, which an admin can change, is tried again', { code: 554, text: '5.7.1 Not allowed' }, 1, 30],
    ['for a full disk waits without losing an attempt', { code: 452, text: '4.3.1 Insufficient storage' }, 0, 60],
  ])('after DATA %s', async (_what, reply, attempts, waitSeconds) => {
    server.rules.content = reply;
    const to = await queue();
    await deliverMails();
    const row = await outboxRow(to);
    expect(row).toMatchObject({ attempts, error: `The SMTP server answered: ${reply.code} ${reply.text}` });
    expect(row.failedAt ? null : row.waitSeconds).toBe(waitSeconds);
    expect(server.stored).toEqual([]);
  });

  it('because of the permission to relay is tried again, because the configuration can be corrected', async () => {
    server.rules.recipient = () => ({ code: 550, text: 'relay not permitted' });
    const to = await queue();
    expect(await deliverMails()).toMatchObject({ failed: 1 });
    expect(await outboxRow(to)).toMatchObject({ attempts: 1, failedAt: null, waitSeconds: 30 });
  });

  it.each([
    ['temporarily', { code: 450, text: '4.7.0 Too many mails' }, 60],
    ['permanently', { code: 553, text: '5.7.1 Not your address' }, 600],
  ])('because of its sender %s postpones every mail', async (_how, reply, waitSeconds) => {
    server.rules.sender = reply;
    const recipients = await Promise.all(Array.from({ length: 4 }, () => queue()));
    expect(await deliverMails()).toMatchObject({ sent: 0, failed: 0, postponed: 4 });
    for (const to of recipients) {
      const row = await outboxRow(to);
      expect(row).toMatchObject({ attempts: 0, failedAt: null });
      expect(Math.abs(row.waitSeconds - waitSeconds)).toBeLessThan(10);
    }
    server.rules.sender = null;
    expect(await testAsAdmin()).toMatchObject({ ok: true });
    for (const to of recipients) await makeDue(to);
    expect(await deliverMails()).toMatchObject({ sent: 4 });
  });
});

describe('a connection', () => {
  it('that is cut in DATA before the end of the mail leaves nothing at the server, and the mail arrives once', async () => {
    // More than the buffers of the connection hold, so that the end is certainly not sent.
    const to = await queue({ text: 'A long line of text.\n'.repeat(500_000) });
    server.rules.cut = 'in-content';
    expect(await deliverMails()).toMatchObject({ sent: 0, postponed: 1 });
    expect(await outboxRow(to)).toMatchObject({
      attempts: 0,
      failedAt: null,
      error: expect.stringContaining('ended before the mail was complete'),
    });
    server.rules.cut = 'never';
    await makeDue(to);
    expect(await deliverMails()).toMatchObject({ sent: 1 });
    expect(server.mailsTo(to)).toHaveLength(1);
  });

  it('that is cut after the end of a mail that the server did not accept loses nothing, and the mail arrives once', async () => {
    const to = await queue();
    server.rules.cut = 'before-storing';
    expect(await deliverMails()).toMatchObject({ sent: 0, failed: 1 });
    expect(await outboxRow(to)).toMatchObject({
      attempts: 1,
      failedAt: null,
      waitSeconds: 120,
      error: expect.stringContaining('did not confirm'),
    });
    server.rules.cut = 'never';
    await makeDue(to);
    expect(await deliverMails()).toMatchObject({ sent: 1 });
    expect(server.mailsTo(to)).toHaveLength(1);
  });

  it('that is cut after the server accepted a mail repeats the same bytes, which a receiver recognizes', async () => {
    const to = await queue();
    server.rules.cut = 'after-storing';
    expect(await deliverMails()).toMatchObject({ sent: 0, failed: 1 });
    server.rules.cut = 'never';
    await makeDue(to);
    expect(await deliverMails()).toMatchObject({ sent: 1 });
    const copies = server.mailsTo(to);
    expect(copies).toHaveLength(2);
    expect(new Set(copies.map(({ raw }) => raw)).size).toBe(1);
    expect(new Set(copies.map(({ messageId }) => messageId)).size).toBe(1);
  });

  it('that is always cut after the server accepted a mail ends after four copies', async () => {
    const to = await queue();
    server.rules.cut = 'after-storing';
    for (const waitSeconds of [120, 3_600, 21_600]) {
      expect(await deliverMails()).toMatchObject({ failed: 1 });
      expect(await outboxRow(to)).toMatchObject({ failedAt: null, waitSeconds });
      await makeDue(to);
    }
    expect(await deliverMails()).toMatchObject({ failed: 1 });
    expect(await outboxRow(to)).toMatchObject({
      failedAt: expect.any(Date),
      error: expect.stringContaining('may have arrived'),
    });
    await makeDue(to);
    expect(await deliverMails()).toMatchObject({ sent: 0, failed: 0 });
    expect(server.mailsTo(to)).toHaveLength(4);
  });

  it('of an instance that died before it stored the result repeats the same bytes', async () => {
    const to = await queue();
    const { sealedBody } = await outboxRow(to);
    await deliverMails();
    await db()
      .update(mails)
      .set({ sealedBody, sentAt: null, nextAttemptAt: sql`now()` })
      .where(eq(mails.recipient, to));
    expect(await deliverMails()).toMatchObject({ sent: 1 });
    const [first, second] = server.mailsTo(to);
    expect(second?.raw).toBe(first?.raw);
  });

  it('without an answer to the end of a mail has an unknown outcome after the timeout', async () => {
    server.rules.isSilent = true;
    const to = await queue();
    const timeout = shortenTimeout();
    expect(await deliverMails()).toMatchObject({ failed: 1 });
    expect(timeout).toHaveBeenCalledWith(smtpTimeoutMs);
    timeout.mockRestore();
    expect(await outboxRow(to)).toMatchObject({ attempts: 1, error: expect.stringContaining('may have arrived') });
  });

  it('of a process that was suspended beyond its lease never completes the mail', async () => {
    const to = await queue();
    const now = Date.now.bind(Date);
    const clock = vi.spyOn(Date, 'now');
    server.rules.recipient = () => {
      clock.mockImplementation(() => now() + smtpTimeoutMs + 1_000);
      return null;
    };
    expect(await deliverMails()).toMatchObject({ sent: 0, postponed: 1 });
    clock.mockRestore();
    expect(server.stored).toEqual([]);
    expect(await outboxRow(to)).toMatchObject({ attempts: 0, error: expect.stringContaining('suspended') });
  });

  it.each([
    ['a busy server', { code: 421, text: 'Too many connections' }],
    ['a server that blocks this address', { code: 554, text: 'Blocked' }],
  ])('refused by %s postpones every mail without losing attempts', async (_how, reply) => {
    server.rules.greeting = reply;
    const recipients = await Promise.all(Array.from({ length: 4 }, () => queue()));
    expect(await deliverMails()).toMatchObject({ sent: 0, failed: 0, postponed: 4 });
    for (const to of recipients) {
      expect(await outboxRow(to)).toMatchObject({
        attempts: 0,
        waitSeconds: 60,
        error: expect.stringContaining(reply.text),
      });
    }
  });
});

describe('encryption', () => {
  it('with a certificate that SMTP_CA does not contain sends neither a login nor a mail', async () => {
    server.present(createCertificate('localhost'));
    const to = await queue();
    expect(await deliverMails()).toMatchObject({ sent: 0, postponed: 1 });
    expect(server.seen).toMatchObject({ logins: 0, senders: [] });
    expect(await outboxRow(to)).toMatchObject({
      attempts: 0,
      error: expect.stringMatching(/no connection to the SMTP server.*DEPTH_ZERO_SELF_SIGNED_CERT.*SMTP_CA/),
    });
  });

  it('that the server does not offer, as if an attacker removed it, sends neither a login nor a mail', async () => {
    server.rules.offersTls = false;
    const to = await queue();
    expect(await deliverMails()).toMatchObject({ sent: 0, postponed: 1 });
    expect(server.seen).toMatchObject({ logins: 0, senders: [] });
    expect(await outboxRow(to)).toMatchObject({ attempts: 0, error: expect.stringContaining('STARTTLS') });
  });
});

it('TLS from the first byte is verified as well', async () => {
  const login = { user: 'app', password };
  const [good, bad] = await Promise.all([
    startSmtpServer(login, { secure: true, trusted: server.trusted }),
    startSmtpServer(login, { secure: true }),
  ]);
  const sendThrough = ({ port }: { port: number }) => {
    const mail = { id: newId(), to: 'a@example.com', subject: 'Hello', html: '', text: 'Hello', createdAt: new Date() };
    return sendBySmtp(mail, 'b@example.com', { host: 'localhost', port, isImplicitTls: true, login }, false);
  };
  expect(await sendThrough(good)).toEqual({ outcome: 'sent' });
  expect(good.seen).toMatchObject({ encrypted: 1, senders: ['b@example.com'] });
  expect(await sendThrough(bad)).toMatchObject({ outcome: 'postponed', error: expect.stringContaining('SMTP_CA') });
  expect(bad.seen).toMatchObject({ logins: 0, senders: [] });
  await Promise.all([good.close(), bad.close()]);
});

describe('a refused login', () => {
  it('postpones every mail, is not repeated at once, and reveals the password nowhere', async () => {
    server.rules.login = { user: 'app@example.com', password: 'other' };
    const written: string[] = [];
    const spies = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, 'write').mockImplementation((text) => written.push(String(text)) > 0),
    );
    const recipients = await Promise.all(Array.from({ length: 6 }, () => queue()));
    expect(await deliverMails()).toMatchObject({ sent: 0, failed: 0, postponed: 4 });
    expect(server.seen.logins).toBeLessThanOrEqual(parallelSends);
    const { logins } = server.seen;
    expect(await deliverMails()).toMatchObject({ sent: 0, failed: 0, postponed: 2 });
    expect(server.seen.logins).toBe(logins);
    const tested = await testAsAdmin();
    for (const spy of spies) spy.mockRestore();
    expect(tested).toEqual({ ok: false, message: expect.stringContaining('refused the login of SMTP_URL') });
    const rows = await Promise.all(recipients.map(outboxRow));
    for (const { attempts, failedAt, waitSeconds } of rows) {
      expect({ attempts, failedAt }).toEqual({ attempts: 0, failedAt: null });
      expect(waitSeconds).toBeGreaterThan(580);
    }
    expect(rows.some(({ error }) => error?.includes('535') && error.includes('[removed]'))).toBe(true);
    const shown = JSON.stringify([
      rows,
      tested,
      written,
      await listIntegrations(),
      await db().select().from(auditLogs),
    ]);
    for (const form of [password, encodeURIComponent(password), Buffer.from(password).toString('base64')]) {
      expect(shown).not.toContain(form);
    }

    server.rules.login = { user: 'app@example.com', password };
    expect(await testAsAdmin()).toMatchObject({ ok: true });
    for (const to of recipients) await makeDue(to);
    expect(await deliverMails()).toMatchObject({ sent: 6 });
  });

  it('that the server cannot check at the moment is tried again soon', async () => {
    server.rules.auth = { code: 454, text: '4.7.0 Temporary authentication failure' };
    const to = await queue();
    expect(await deliverMails()).toMatchObject({ postponed: 1 });
    expect(await outboxRow(to)).toMatchObject({ attempts: 0, waitSeconds: 60 });
    server.rules.auth = null;
    await makeDue(to);
    expect(await deliverMails()).toMatchObject({ sent: 1 });
  });

  it('is also a server that offers none', async () => {
    server.rules.offersLogin = false;
    const to = await queue();
    expect(await deliverMails()).toMatchObject({ postponed: 1 });
    expect(await outboxRow(to)).toMatchObject({ attempts: 0, error: expect.stringContaining('refused the login') });
    expect(server.stored).toEqual([]);
    server.rules.offersLogin = true;
    expect(await testAsAdmin()).toMatchObject({ ok: true });
  });
});

describe('an address or a header', () => {
  it.each([
    'no address',
    'a@example.com> SIZE=1',
    '<a@example.com>',
    'a@example.com\r\nRCPT TO:<b@example.com>',
    'a@example.com, b@example.com',
    'Name <a@example.com>',
    'a\u0000@example.com',
    'a@@example.com',
    'zażółć@example.com',
  ])('that is no mailbox (%j) reaches no server', async (to) => {
    const mail = { id: newId(), to, subject: 'Hello', html: 'Hello', text: 'Hello', createdAt: new Date() };
    expect(await sendMail(mail)).toEqual({ outcome: 'impossible', error: 'The recipient is not an email address.' });
    expect(server.seen.connections).toBe(0);
  });

  it('with a domain of other scripts is sent in ASCII', async () => {
    const to = await queue({ to: 'a@bücher.example' });
    expect(await deliverMails()).toMatchObject({ sent: 1 });
    // The server shows domains in Unicode.
    expect(server.mailsTo(to)[0]?.raw).toMatch(/^To: a@xn--bcher-kva\.example\r$/m);
  });

  it('with line breaks adds no header, also from a sender with a name of its own', async () => {
    const subject = 'Hello\r\nBcc: victim@example.com\r\n\r\n<script>';
    const name = 'Fir "& Sons" <x@evil.example>, Y\r\nBcc: victim@example.com';
    const sender = { name, replyTo: 'agency@example.com', stopUrl: 'https://links.example.com/reports/mail/stop' };
    const [to, toClient] = [await queue({ subject }), await queue({ subject, sender })];
    expect(await deliverMails()).toMatchObject({ sent: 2 });
    const readHeaders = (address: string) => {
      const head = server.mailsTo(address)[0]?.raw.split('\r\n\r\n')[0] ?? '';
      return new Map(head.split(/\r\n(?=\S)/).map((line) => [line.replace(/:.*/s, ''), line.replace(/^[^:]*: /, '')]));
    };
    const usual = ['Content-Type', 'Date', 'From', 'MIME-Version', 'Message-ID', 'Subject', 'To'];
    expect([...readHeaders(to).keys()].sort()).toEqual([...usual].sort());
    const headers = readHeaders(toClient);
    const own = ['List-Unsubscribe', 'List-Unsubscribe-Post', 'Reply-To'];
    expect([...headers.keys()].sort()).toEqual([...usual, ...own].sort());
    expect(headers.get('From')).toMatch(/<no-reply@links\.example\.com>$/);
    expect(headers.get('From')).not.toContain('LinkMarket');
    expect(headers.get('List-Unsubscribe')).toBe(`<${sender.stopUrl}>`);
  });
});

describe('the page of integrations', () => {
  it('shows the server and the sender, and sends a test mail', async () => {
    const admin = await makeUser('Admin');
    const all = await listIntegrations();
    expect(all.find(({ name }) => name === 'smtp')).toMatchObject({
      state: 'connected',
      detail: `Sends as LinkMarket <no-reply@links.example.com> through localhost, port ${server.port}.`,
    });
    expect(all.some(({ name }) => name === 'resend')).toBe(false);
    expect(await testIntegration(admin, { name: 'smtp' })).toEqual({
      ok: true,
      message: `The SMTP server accepted an email to ${admin.email}. Check the inbox.`,
    });
    expect(server.mailsTo(admin.email)).toHaveLength(1);
  });
});
