import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { selfSignedCertificate } from '@/sandbox/keys/self-signed';

type Reply = { code: number; text: string };
type StoredMail = { to: string; raw: string; messageId: string };

/** A self-signed certificate of a host name. */
export function createCertificate(hostname: string): { key: string; cert: string } {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const serial = randomBytes(20);
  serial[0] = 1;
  return { key: privateKey, cert: selfSignedCertificate(createPrivateKey(privateKey), serial, hostname) };
}

const refusal = ({ code, text }: Reply) => Object.assign(new Error(text), { responseCode: code });

/**
 * A mail server with STARTTLS (`secure`: with TLS from the first byte) and a login, at localhost. Its behaviors are set in `rules`; each is reset by `reset`. A
 * proxy in front can cut every connection at once, as a failing network does.
 */
export async function startSmtpServer(
  login: { user: string; password: string },
  { secure = false, trusted = createCertificate('localhost') } = {},
) {
  const normal = {
    login,
    offersTls: true,
    offersLogin: true,
    /** Refusals: of connections, of the login, of the sender, of a recipient and of the content. */
    greeting: null as Reply | null,
    auth: null as Reply | null,
    sender: null as Reply | null,
    recipient: (_: string): Reply | null => null,
    content: null as Reply | null,
    /**
     * Where the connection is cut: at the first byte of the content, or after all of it, before or after the mail was
     * stored.
     */
    cut: 'never' as 'never' | 'in-content' | 'before-storing' | 'after-storing',
    /** The server reads everything and never answers. */
    isSilent: false,
  };
  const rules = { ...normal };
  const seen = { connections: 0, logins: 0, encrypted: 0, mostAtOnce: 0, senders: [] as string[] };
  const stored: StoredMail[] = [];
  const sockets = new Set<Socket>();
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = new SMTPServer({
    ...trusted,
    secure,
    size: 20 * 1024 * 1024,
    disableReverseLookup: true,
    // Decided by `rules.offersTls` for each connection.
    allowInsecureAuth: true,
    authOptional: true,
    onConnect(session, done) {
      session.disabledCommands = [...(rules.offersTls ? [] : ['STARTTLS']), ...(rules.offersLogin ? [] : ['AUTH'])];
      done(rules.greeting && refusal(rules.greeting));
    },
    onAuth({ username, password }, session, done) {
      seen.logins += 1;
      if (session.secure) seen.encrypted += 1;
      if (rules.auth) return done(refusal(rules.auth));
      const isRight = username === rules.login.user && password === rules.login.password;
      if (isRight) return done(null, { user: username });
      // Some servers repeat what they received.
      return done(refusal({ code: 535, text: `Wrong password ${password} (${btoa(String(password))})` }));
    },
    onMailFrom({ address }, _session, done) {
      seen.senders.push(address);
      done(rules.sender && refusal(rules.sender));
    },
    onRcptTo({ address }, _session, done) {
      const reply = rules.recipient(address);
      done(reply && refusal(reply));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => {
        if (rules.cut === 'in-content' && chunks.length === 0) cutAll();
        chunks.push(chunk);
      });
      stream.on('end', () => {
        if (rules.cut === 'in-content') return undefined;
        if (rules.cut === 'before-storing') return cutAll();
        if (rules.content) return done(refusal(rules.content));
        const raw = Buffer.concat(chunks).toString();
        const to = session.envelope.rcptTo.map(({ address }) => address).join();
        stored.push({ to, raw, messageId: /^message-id: (.+)$/im.exec(raw)?.[1]?.trim() ?? '' });
        if (rules.cut === 'after-storing') return cutAll();
        return rules.isSilent ? undefined : done();
      });
    },
  });
  // Errors of connections that were cut.
  server.on('error', () => undefined);
  const inner = server.listen(0, '127.0.0.1');
  await once(inner, 'listening');
  const proxy = createServer((client) => {
    seen.connections += 1;
    const upstream = connect(portOf(inner), '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
    }
    seen.mostAtOnce = Math.max(seen.mostAtOnce, sockets.size / 2);
    client.pipe(upstream).pipe(client);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    rules,
    seen,
    stored,
    port: portOf(proxy),
    trusted,
    /** Replaces the certificate that the server presents. */
    present: (certificate: { key: string; cert: string }) => server.updateSecureContext(certificate),
    /** The mails to an address, oldest first. */
    mailsTo: (to: string) => stored.filter((mail) => mail.to === to),
    reset: () => {
      Object.assign(rules, normal);
      Object.assign(seen, { connections: 0, logins: 0, encrypted: 0, mostAtOnce: 0, senders: [] });
      stored.length = 0;
      server.updateSecureContext(trusted);
    },
    close: async () => {
      cutAll();
      proxy.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
