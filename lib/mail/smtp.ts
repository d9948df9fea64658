import { Readable } from 'node:stream';
import { domainToASCII } from 'node:url';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { z } from 'zod';
import { env } from '@/lib/env';
import { type SmtpServer, smtpTls } from '@/lib/network/smtp-url';
import type { OutgoingMail, SendResult } from './send';

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
type Progress = { phase: Phase };
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
  const message = await composeMessage(mail, from);
  const connection = openConnection(server);
  const progress: Progress = { phase: 'session' };
  const signal = AbortSignal.timeout(smtpTimeoutMs);
  const failure = new Promise<never>((_, reject) => {
    connection.on('error', reject);
    signal.addEventListener('abort', () => reject(new Error('The time for one mail is over.')));
  });
  try {
    await Promise.race([failure, transmit(connection, server, message, progress)]);
    // Its answer is not awaited: the server has accepted the mail.
    connection.quit();
    refusedUntil = 0;
    return { outcome: 'sent' };
  } catch (thrown) {
    connection.close();
    const result = interpretError(thrown, progress.phase);
    if (result.outcome === 'postponed' && result.waitSeconds === refusedSeconds) {
      refusedUntil = Date.now() + refusedSeconds * 1000;
    }
    return { ...result, error: removeLogin(result.error, server).replace(/\s+/g, ' ').slice(0, 500) };
  }
}

/** One mailbox without quoting. The address becomes part of a command and of a header. */
function isAddress(text: string): boolean {
  return /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u.test(text);
}

type Message = { envelope: { from: string; to: string[] }; content: Buffer };

async function composeMessage({ id, createdAt, to, ...mail }: OutgoingMail, from: string): Promise<Message> {
  const [, quotedName = '', address = from] = /^(.*)<([^<>]+)>\s*$/s.exec(from) ?? [];
  const name = quotedName
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .replace(/\\(.)/g, '$1');
  const node = new MailComposer({
    ...mail,
    // Objects, which are not parsed as lists of addresses.
    from: { name, address },
    to: { name: '', address: to },
    messageId: `<${id}@${domainToASCII(address.slice(address.lastIndexOf('@') + 1))}>`,
    date: createdAt,
    baseBoundary: id,
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  // With domains in ASCII.
  const envelope = node.getEnvelope();
  return { envelope: { from: envelope.from || address, to: envelope.to }, content: await node.build() };
}

function openConnection(server: SmtpServer): SMTPConnection {
  const { APP_URL, SMTP_CA, ALLOW_UNVERIFIED_TLS } = env();
  const { hostname } = new URL(APP_URL);
  return new SMTPConnection({
    host: server.host,
    port: server.port,
    ...timeouts,
    ...smtpTls(server, { ca: SMTP_CA, isUnverifiedAllowed: ALLOW_UNVERIFIED_TLS.includes('smtp') }),
    // The name in EHLO; by default the machine's, which may be internal.
    ...(/[a-z]$/i.test(hostname) && hostname.includes('.') && { name: hostname }),
  });
}

/** A condition that the server did not name itself. */
class SmtpProblem extends Error {
  constructor(readonly result: Failure) {
    super(result.error);
  }
}

async function transmit(
  connection: SMTPConnection,
  { login }: SmtpServer,
  { envelope, content }: Message,
  progress: Progress,
): Promise<void> {
  const latest = Date.now() + smtpTimeoutMs;
  await settle((done) => connection.connect(done));
  const extensions = String(connection.lastServerResponse);
  if (!/^\p{ASCII}*$/u.test(envelope.from + envelope.to.join()) && !/[ -]SMTPUTF8\b/im.test(extensions)) {
    const error = 'The address contains characters that the SMTP server does not support (SMTPUTF8).';
    throw new SmtpProblem({ outcome: 'impossible', error });
  }
  if (login) {
    if (!connection.allowsAuth) {
      const error = 'The SMTP server offers no login, but SMTP_URL contains a user name and a password.';
      throw new SmtpProblem({ outcome: 'postponed', waitSeconds: refusedSeconds, error });
    }
    const credentials = { user: login.user, pass: login.password };
    await settle((done) => connection.login({ user: login.user, credentials }, done));
  }
  progress.phase = 'envelope';
  await settle((done) => connection.send(envelope, streamContent(content, latest, progress), done));
}

function settle(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
}

const chunkBytes = 16 * 1024;

/**
 * Streams the content, which the connection reads after the server's 354. The end of the mail (a line with a dot)
 * follows the end of the stream.
 * @param latest when to stop: in a process that was suspended, another instance may hold the mail's lease by now
 */
function streamContent(content: Buffer, latest: number, progress: Progress): Readable {
  let read = 0;
  return new Readable({
    read() {
      if (Date.now() > latest) {
        this.destroy(new Error('The process was suspended.'));
        return;
      }
      const isEnd = read >= content.length;
      progress.phase = isEnd ? 'complete' : 'content';
      this.push(isEnd ? null : content.subarray(read, read + chunkBytes));
      read += chunkBytes;
    },
  });
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

/** Decides what happens to a mail after an error. docs/mail.md describes the rules for operators. */
function interpretError(thrown: unknown, phase: Phase): Failure {
  if (thrown instanceof SmtpProblem) return thrown.result;
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

function interpretLostConnection({ message, code, command }: SmtpError, phase: Phase): Failure {
  // Reported by nodemailer itself: a size above the server's limit, or an invalid address.
  if (phase === 'envelope' && (code === 'EMESSAGE' || (code === 'EENVELOPE' && command === 'API'))) {
    return { outcome: 'impossible', error: message };
  }
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
