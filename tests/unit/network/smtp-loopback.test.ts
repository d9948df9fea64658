import { afterAll, beforeEach, expect, it } from 'vitest';
import { newId } from '@/lib/ids';
import { sendBySmtp } from '@/lib/mail/smtp';
import { parseSmtpUrl } from '@/lib/network/smtp-url';
import { startSmtpServer } from '@/tests/setup/smtp-server';

process.env.DATABASE_URL = 'postgres://unused@127.0.0.1:9/unused';
const server = await startSmtpServer({ user: 'app', password: 'secret' });
beforeEach(() => server.reset());
afterAll(() => server.close());

const send = (host: string) => {
  const mail = { id: newId(), to: 'a@example.com', subject: 'Hello', html: '', text: 'Hello', createdAt: new Date() };
  return sendBySmtp(mail, 'b@example.com', parseSmtpUrl(`smtp://app:secret@${host}:${server.port}`), false);
};

it.each(['localhost', '127.0.0.1'])('%s without SMTP_CA is encrypted if the server offers it', async (host) => {
  expect(await send(host)).toEqual({ outcome: 'sent' });
  expect(server.seen).toMatchObject({ logins: 1, encrypted: 1 });
  server.rules.offersTls = false;
  expect(await send(host)).toEqual({ outcome: 'sent' });
  expect(server.seen).toMatchObject({ logins: 2, encrypted: 1 });
});
