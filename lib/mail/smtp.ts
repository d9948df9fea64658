import { Readable } from 'node:stream';
import { domainToASCII } from 'node:url';
import { createTransport, type SendMailOptions, type SMTPTransportOptions } from 'nodemailer';
import { z } from 'zod';
import { env } from '@/lib/env';
import { type SmtpServer, smtpTls } from '@/lib/network/smtp-url';

/** The name of a sender other than the site, where answers go, and where the recipient ends these mails. */
export type MailSender = { name: string; replyTo: string; stopUrl: string };

/** Creates the headers by which mail programs offer to end these mails, also with one click (RFC 8058). */
export const listHeaders = ({ stopUrl }: MailSender) => ({
  'List-Unsubscribe': `<${stopUrl}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

export type OutgoingMail = {
  id: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  sender?: MailSender | undefined;
  createdAt: Date;
};

export type SendResult =
  | { outcome: 'sent' }
  /** Not accepted, as every other mail now (a rate limit, a quota, a refused login); does not count as an attempt. */
  | { outcome: 'postponed'; waitSeconds: number; error: string }
  /** This mail was not accepted for now, such as by greylisting; does not count as an attempt. */
  | { outcome: 'deferred'; error: string }
  /** The outcome with Resend may be unknown; a retry with the same idempotency key is safe. */
  | { outcome: 'failed'; error: string }
  /** The mail may have been accepted, and a retry could send it twice. */
  | { outcome: 'unknown'; error: string }
  /** A retry would fail in the same way. */
  | { outcome: 'impossible'; error: string };

/**
 * The timeout of one mail. RFC 5321 (4.5.3.2) allows longer ones for the relay of mails; a submission server answers in
 * seconds. Most of it is for the answer to the end of the mail, because giving up there makes the outcome unknown.
 */
export const smtpTimeoutMs = 90_000;
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 };

/** The wait time when the server is unreachable or too busy. */
const unavailableSeconds = 60;
/**
 * The wait time when the server refuses the login or the sender, which an admin has to change. Servers block addresses
 * after repeated failures, so this process does not try in between (`refusedUntil`).
 */
const refusedSeconds = 600;
let refusedUntil = 0;

/**
 * How far a delivery got: before MAIL, before the content, in the content, or after all of it was handed to the
 * connection. Only in the last phase the server may have accepted the mail without the app knowing it.
 */
type Phase = 'session' | 'envelope' | 'content' | 'complete';
type Failure = Exclude<SendResult, { outcome: 'sent' }>;

/**
 * Sends a mail on a connection of its own; no connection outlives the mail's lease. Does not throw for errors of the
 * server or the network. A retry sends the same bytes: the Message-ID, Date and boundaries come from the mail's row,
 * so that receivers can recognize a duplicate.
 * @param from `address` or `"name" <address>`
 * @param isTest tries even after a refused login
 */
export async function sendBySmtp(
  mail: OutgoingMail,
  from: string,
  server: SmtpServer,
  isTest: boolean,
): Promise<SendResult> {
  if (!isAddress(mail.to)) return { outcome: 'impossible', error: 'The recipient is not an email address.' };
  const pauseMs = refusedUntil - Date.now();
  if (pauseMs > 0 && !isTest) {
    const waitSeconds = Math.ceil(pauseMs / 1000);
    return { outcome: 'postponed', waitSeconds, error: 'The SMTP server refused the login of SMTP_URL or the sender.' };
  }
  const progress = { phase: 'session' as Phase };
  const latest = Date.now() + smtpTimeoutMs;
  const transport = createTransport(transportOptions(server));
  transport.use('stream', ({ message }, done) => {
    // Called after the login.
    message.processFunc((content) => {
      progress.phase = 'envelope';
      return Readable.from(watchContent(content, latest, progress), { objectMode: false });
    });
    done();
  });
  try {
    await transport.sendMail({ ...messageOptions(mail, from), signal: AbortSignal.timeout(smtpTimeoutMs) });
    refusedUntil = 0;
    return { outcome: 'sent' };
  } catch (thrown) {
    const result = interpretError(thrown, progress.phase);
    if (result.outcome === 'postponed' && result.waitSeconds === refusedSeconds) {
      refusedUntil = Date.now() + refusedSeconds * 1000;
    }
    return { ...result, error: removeLogin(result.error, server).replace(/\s+/g, ' ').slice(0, 500) };
  }
}

/** Checks one mailbox without quoting, as every address of the app: it becomes part of a command and of a header. */
function isAddress(text: string): boolean {
  return /^[^\s\p{Cc}<>()[\]\\,;:"@\u{80}-\u{10FFFF}]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u.test(text);
}

function messageOptions({ id, createdAt, to, sender, ...mail }: OutgoingMail, from: string): SendMailOptions {
  const [, quotedName = '', address = from] = /^(.*)<([^<>]+)>\s*$/s.exec(from) ?? [];
  const name = quotedName
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .replace(/\\(.)/g, '$1');
  return {
    ...mail,
    // Objects, which are not parsed as lists of addresses.
    from: { name, address },
    to: { name: '', address: to },
    ...(sender && { replyTo: { name: '', address: sender.replyTo }, headers: listHeaders(sender) }),
    messageId: `<${id}@${domainToASCII(address.slice(address.lastIndexOf('@') + 1))}>`,
    date: createdAt,
    baseBoundary: id,
    disableFileAccess: true,
    disableUrlAccess: true,
    xMailer: false,
  };
}

function transportOptions(server: SmtpServer): SMTPTransportOptions {
  const { APP_URL, SMTP_CA, ALLOW_UNVERIFIED_TLS } = env();
  const { hostname } = new URL(APP_URL);
  return {
    host: server.host,
    port: server.port,
    ...(server.login && { auth: { user: server.login.user, pass: server.login.password } }),
    // A server that offers no login must not get the mail without one.
    forceAuth: server.login !== null,
    ...timeouts,
    ...smtpTls(server, { ca: SMTP_CA, isUnverifiedAllowed: ALLOW_UNVERIFIED_TLS.includes('smtp') }),
    // The name in EHLO; by default the machine's, which may be internal.
    ...(/[a-z]$/i.test(hostname) && hostname.includes('.') && { name: hostname }),
  };
}

/**
 * Notes how much of the content the connection has read, which it does after the server's 354. The end of the mail (a line
 * with a dot) follows the end of the stream.
 * @param latest when to stop: in a process that was suspended, another instance may hold the mail's lease by now
 */
async function* watchContent(
  content: AsyncIterable<Buffer>,
  latest: number,
  progress: { phase: Phase },
): AsyncGenerator<Buffer> {
  const advance = (phase: Phase) => {
    if (Date.now() > latest) throw new Error('The process was suspended.');
    progress.phase = phase;
  };
  for await (const chunk of content) {
    advance('content');
    yield chunk;
  }
  advance('complete');
}

/** The error of nodemailer's connection, with the server's answer if there was one. */
const smtpError = z.object({
  message: z.string(),
  code: z.string().optional(),
  /** The code of the system or of OpenSSL. */
  originalCode: z.string().optional(),
  command: z.string().optional(),
  response: z.string().optional(),
  responseCode: z.number().optional().catch(undefined),
});
type SmtpError = z.infer<typeof smtpError>;

/** Decides what happens to a mail after an error. docs/mail.md describes the rules. */
function interpretError(thrown: unknown, phase: Phase): Failure {
  const error = smtpError.safeParse(thrown).data;
  if (!error) throw thrown;
  const { responseCode: code = 0 } = error;
  const isAnswer = code >= 400 && code < 600;
  if (phase === 'session') return interpretSessionError(error, isAnswer);
  if (!isAnswer) return interpretLostConnection(error, phase);
  const text = `The SMTP server answered: ${error.response}`;
  if (error.command === 'MAIL FROM' && code !== 552) {
    const waitSeconds = code < 500 ? unavailableSeconds : refusedSeconds;
    return { outcome: 'postponed', waitSeconds, error: `The sender MAIL_FROM was refused. ${text}` };
  }
  // Greylisting, a full mailbox, or too many mails to this recipient.
  if (code < 500) return { outcome: 'deferred', error: text };
  // 5.7 is a policy (RFC 3463), such as a missing permission to relay, which an admin can change. 503 concerns the session.
  const isCurable = code === 503 || /^\d{3}[ -]5\.7\.\d/.test(error.response ?? '') || /\brelay/i.test(text);
  return { outcome: isCurable ? 'failed' : 'impossible', error: text };
}

/** Errors before MAIL concern every mail. */
function interpretSessionError(
  { message, code, originalCode, responseCode = 0 }: SmtpError,
  isAnswer: boolean,
): Failure {
  if (code === 'EAUTH') {
    const isBusy = isAnswer && responseCode < 500;
    return {
      outcome: 'postponed',
      waitSeconds: isBusy ? unavailableSeconds : refusedSeconds,
      error: `The SMTP server refused the login of SMTP_URL: ${message}`,
    };
  }
  const isCertificate = /CERT|UNABLE_TO_VERIFY|ERR_TLS_CERT/.test(originalCode ?? '');
  const advice = isCertificate
    ? ` (${originalCode}). Set the certificate authority with SMTP_CA, and the name in the certificate in SMTP_URL.`
    : '';
  return {
    outcome: 'postponed',
    waitSeconds: unavailableSeconds,
    error: `There is no connection to the SMTP server: ${message}${advice}`,
  };
}

function interpretLostConnection({ message }: SmtpError, phase: Phase): Failure {
  if (phase !== 'complete') {
    // The server must cancel the transaction (RFC 5321, 4.1.1.10).
    return { outcome: 'deferred', error: `The SMTP connection ended before the mail was complete: ${message}` };
  }
  return {
    outcome: 'unknown',
    error: `The SMTP server did not confirm the complete mail, which may have arrived: ${message}`,
  };
}

/** Removes the password, in every form in which a server could repeat it. */
function removeLogin(text: string, { login }: SmtpServer): string {
  if (!login) return text;
  const { user, password } = login;
  const base64 = (value: string) => Buffer.from(value).toString('base64');
  const forms = [base64(`\0${user}\0${password}`), base64(password), encodeURIComponent(password), password];
  return forms.reduce((left, form) => left.replaceAll(form, '[removed]'), text);
}
