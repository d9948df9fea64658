import { isIPv6 } from 'node:net';
import { isLoopbackHost } from './addresses';
import { canParseUrl } from './can-parse-url';

/** The SMTP server of SMTP_URL. */
export type SmtpServer = {
  host: string;
  port: number;
  /** TLS from the first byte (smtps). Otherwise the connection begins in plain text, and STARTTLS encrypts it. */
  isImplicitTls: boolean;
  /** Null for a server that accepts mails by the client's address. */
  login: { user: string; password: string } | null;
};

/** Options of TLS for nodemailer's connection. */
type SmtpTls = { secure: boolean; requireTLS: boolean; tls: { rejectUnauthorized: boolean; ca?: string } };

const shape =
  'must be smtp://user:password@host:587 or smtps://user:password@host:465, with special characters of the user ' +
  'name and the password percent-encoded';

/**
 * Parses SMTP_URL. The default port is 587, or 465 with smtps.
 * @throws Error whose message contains nothing of the URL, because the URL contains a password
 */
export function parseSmtpUrl(text: string): SmtpServer {
  if (!canParseUrl(text)) throw new Error(shape);
  const { protocol, username, password, hostname, port, pathname, search, hash } = new URL(text);
  const isImplicitTls = protocol === 'smtps:';
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const hasRest = !['', '/'].includes(pathname) || search !== '' || hash !== '';
  if ((!isImplicitTls && protocol !== 'smtp:') || hasRest || !(isIPv6(host) || /^[\w.-]+$/.test(host))) {
    throw new Error(shape);
  }
  if (port === '0') throw new Error('must have a port from 1 to 65535');
  if (port === '465' && !isImplicitTls) throw new Error('must begin with smtps:// for port 465');
  if ((username === '') !== (password === '')) throw new Error('must have both a user name and a password, or neither');
  return {
    host,
    port: port === '' ? (isImplicitTls ? 465 : 587) : Number(port),
    isImplicitTls,
    login: username === '' ? null : { user: decode(username), password: decode(password) },
  };
}

function decode(encoded: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(encoded);
  } catch {
    throw new Error(shape);
  }
  // SASL PLAIN (RFC 4616) separates its fields by NUL, and line breaks end a command.
  if (/\p{Cc}/u.test(decoded)) throw new Error('contains a control character');
  return decoded;
}

/**
 * Returns the TLS options of a server. Encryption is required and the certificate verified, except on loopback and with
 * ALLOW_UNVERIFIED_TLS=smtp, where STARTTLS is used without verification if the server offers it. SMTP_CA requires
 * verification in every case.
 */
export function smtpTls(
  { host, isImplicitTls }: SmtpServer,
  { ca, isUnverifiedAllowed }: { ca: string | undefined; isUnverifiedAllowed: boolean },
): SmtpTls {
  const isVerified = ca !== undefined || !(isUnverifiedAllowed || isLoopbackHost(host));
  return {
    secure: isImplicitTls,
    requireTLS: isVerified && !isImplicitTls,
    // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable it.
    tls: { rejectUnauthorized: isVerified, ...(ca !== undefined && { ca }) },
  };
}
