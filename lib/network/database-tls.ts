import { isLoopbackHost } from './addresses';

/** The sslmode values of libpq, and `no-verify` of node-postgres (equal to libpq's require). */
const modes = ['disable', 'allow', 'prefer', 'no-verify', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof modes)[number];

/** Parameters that libpq reads from the URL; PostgreSQL would reject them as session settings. */
const connectionParameters = ['ssl', 'sslmode', 'sslrootcert', 'channel_binding', 'target_session_attrs'];
/** The values of target_session_attrs of libpq that select a server which accepts writes, and its default. */
const acceptedTargets = ['read-write', 'primary', 'any'];

/** The TLS settings from the environment. */
export type TlsSettings = {
  /** Whether ALLOW_UNVERIFIED_TLS names postgres. */
  isUnverifiedAllowed: boolean;
  /** DATABASE_CA: certificates in PEM that replace the system's. */
  ca?: string;
  /** PGHOST: the host for a URL that names none. */
  defaultHost?: string;
  /** PGPORT: the port for a host without one. */
  defaultPort?: number;
};

type DatabaseHosts = {
  /** The URL with its first host, without the parameters above. */
  url: string;
  /** All hosts of the URL. */
  hosts: { host: string; port: number }[];
  /** Whether a connection must go to a server that accepts writes: with several hosts, or target_session_attrs. */
  isPrimaryRequired: boolean;
};
type DatabaseUrl = DatabaseHosts & { isLocal: boolean; mode: Mode | undefined; target: string; rootCert?: string };

/** Options for the driver, and the hosts among which it connects to the one that accepts writes. */
type DatabaseConnection = DatabaseHosts & { ssl: false | 'require' | 'prefer' | Record<string, unknown> };

/**
 * Checks whether a PostgreSQL URL may be used in production: a server on another machine must be verified, and
 * target_session_attrs must admit writes.
 * @returns a sentence that begins with the variable's name and says what to do; null when the URL is accepted
 */
export function databaseTlsProblem(name: string, url: string, settings: TlsSettings): string | null {
  const address = parseDatabaseUrl(url, settings);
  if (address === null) return `${name} has an sslmode that is not one of ${modes.join(', ')}`;
  const { isLocal, mode, rootCert, target } = address;
  if (!acceptedTargets.includes(target)) {
    return `${name} has target_session_attrs=${target}, but the app writes: use read-write`;
  }
  if (isLocal || settings.isUnverifiedAllowed || mode === 'require' || mode === 'verify-full') return null;
  const hasCa = settings.ca !== undefined || (rootCert !== undefined && rootCert !== 'system');
  if (mode === 'verify-ca') {
    return hasCa ? null : `${name} has sslmode=verify-ca, which needs sslrootcert or DATABASE_CA, or use verify-full`;
  }
  return (
    `${name} is on another machine and its certificate is not verified: add ?sslmode=verify-full, ` +
    'or set ALLOW_UNVERIFIED_TLS=postgres if you control the network'
  );
}

/**
 * Reads the TLS parameters of a URL as libpq does, with one difference: `require` verifies a server on another machine
 * as `verify-full` does, unless ALLOW_UNVERIFIED_TLS names postgres. The driver alone encrypts without verification,
 * treats `verify-ca` as `verify-full`, checks the name `localhost` for an IP address, and ignores `sslrootcert`.
 * @param readFile reads the file that sslrootcert names
 * @throws Error when sslmode has another value
 */
export function resolveDatabaseTls(
  url: string,
  settings: TlsSettings,
  readFile: (path: string) => string,
): DatabaseConnection {
  const address = parseDatabaseUrl(url, settings);
  if (address === null) throw new Error(`The sslmode in the database URL is not one of ${modes.join(', ')}.`);
  const { url: firstUrl, hosts, isPrimaryRequired, isLocal, mode = 'disable', rootCert } = address;
  const [first] = hosts;
  const to = { url: firstUrl, hosts, isPrimaryRequired };
  const isUnverified = mode === 'no-verify' || (mode === 'require' && (isLocal || settings.isUnverifiedAllowed));
  if (mode === 'disable') return { ...to, ssl: false };
  if (mode === 'allow' || mode === 'prefer') return { ...to, ssl: 'prefer' };
  if (isUnverified) return { ...to, ssl: 'require' };
  const file = rootCert === 'system' ? undefined : rootCert;
  const ca = file === undefined ? settings.ca : readFile(file);
  return {
    ...to,
    ssl: {
      // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable it.
      rejectUnauthorized: true,
      ...(ca !== undefined && { ca }),
      // Each of several hosts is verified for its own name (primary-socket.ts).
      ...(hosts.length === 1 && { host: first?.host }),
      ...(mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
    },
  };
}

/**
 * Explains how to fix a rejected server certificate.
 * @param thrown the driver's error
 * @returns a sentence; null for any other error
 */
export function describeCertificateError(thrown: unknown): string | null {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (!/CERT|UNABLE_TO_VERIFY|CRL|^HOSTNAME_MISMATCH$/.test(code)) return null;
  return (
    'Set the certificate authority of the server with sslrootcert in its URL or with DATABASE_CA, or set ' +
    'ALLOW_UNVERIFIED_TLS=postgres if you control the network.'
  );
}

/**
 * Splits a URL that names several servers into one URL for each, without target_session_attrs.
 * @returns each URL with the server's name for the log
 */
export function splitHosts(url: string): { url: string; name: string }[] {
  const [location = '', query = ''] = url.split(/\?(.*)/s);
  const { before, listed, after } = splitLocation(location);
  const params = new URLSearchParams(query);
  params.delete('target_session_attrs');
  const end = params.size > 0 ? `?${params}` : '';
  return listed
    .split(hostSeparator)
    .map((host) => ({ url: before + host + after + end, name: decodeURIComponent(host) }));
}

const hostSeparator = /,|%2C/i;

/** Splits the part of a URL before its parameters into the list of hosts, and what stands before and after it. */
function splitLocation(location: string): { before: string; listed: string; after: string } {
  const start = location.indexOf('://') + 3;
  const [authority = ''] = location.slice(start).split('/');
  const hosts = start + authority.lastIndexOf('@') + 1;
  const end = start + authority.length;
  return { before: location.slice(0, hosts), listed: location.slice(hosts, end), after: location.slice(end) };
}

/** Parses the URL as text: `URL` does not accept several hosts (`a:5432,b:5432`). Null when sslmode is invalid. */
function parseDatabaseUrl(
  url: string,
  { defaultHost = 'localhost', defaultPort = 5432 }: TlsSettings,
): DatabaseUrl | null {
  const [location = '', query = ''] = url.split(/\?(.*)/s);
  const params = new URLSearchParams(query);
  const input = params.get('sslmode') ?? params.get('ssl') ?? undefined;
  const rootCert = params.get('sslrootcert') ?? undefined;
  const target = params.get('target_session_attrs') ?? 'any';
  const spelled = input === 'true' ? 'require' : input === 'false' ? 'disable' : input;
  const mode = modes.find((known) => known === spelled);
  if (spelled !== undefined && mode === undefined) return null;
  const { before, listed, after } = splitLocation(location);
  const hosts = decodeURIComponent(listed)
    .split(',')
    .map((host) => ({
      host: host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1') || defaultHost,
      port: Number(/:(\d+)$/.exec(host)?.[1] ?? defaultPort),
    }));
  for (const name of connectionParameters) params.delete(name);
  const [first = ''] = listed.split(hostSeparator);
  const firstLocation = before + first + after;
  return {
    url: params.size > 0 ? `${firstLocation}?${params}` : firstLocation,
    hosts,
    isPrimaryRequired: hosts.length > 1 || target !== 'any',
    isLocal: hosts.every(({ host }) => host.startsWith('/') || isLoopbackHost(host)),
    // libpq: with the system's root certificates only verify-full is allowed.
    mode: rootCert === 'system' ? 'verify-full' : mode,
    target,
    rootCert,
  };
}
