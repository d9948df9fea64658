import { isLoopbackHost } from './addresses';

/** libpq's values of sslmode, and `no-verify` of node-postgres (the same as libpq's require). */
const modes = ['disable', 'allow', 'prefer', 'no-verify', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof modes)[number];

/** What libpq reads from an address itself; PostgreSQL would refuse it as a setting of the session. */
const ofConnection = ['ssl', 'sslmode', 'sslrootcert', 'channel_binding'];

/** What the environment says about it. */
export type TlsSettings = {
  /** Whether ALLOW_UNVERIFIED_TLS names postgres. */
  isUnverifiedAllowed: boolean;
  /** DATABASE_CA: certificates in PEM that replace the system's. */
  ca?: string;
  /** PGHOST: the server of an address that names none. */
  defaultHost?: string;
};

type DatabaseAddress = { url: string; hosts: string[]; isLocal: boolean; mode: Mode | undefined; rootCert?: string };

/** How the driver has to connect: the address without parameters of its own, and its `ssl`. */
type SecuredAddress = { url: string; ssl: false | 'require' | 'prefer' | Record<string, unknown> };

/**
 * Why an address of PostgreSQL may not be used in production: a server on another machine that is not verified.
 * @returns a sentence that begins with the variable's name and says what to do; null when it may be used
 */
export function databaseTlsProblem(name: string, url: string, settings: TlsSettings): string | null {
  const address = readAddress(url, settings);
  if (address === null) return `${name} has an sslmode that is none of ${modes.join(', ')}`;
  const { isLocal, mode, rootCert } = address;
  if (isLocal || settings.isUnverifiedAllowed || mode === 'require' || mode === 'verify-full') return null;
  const hasCa = settings.ca !== undefined || (rootCert !== undefined && rootCert !== 'system');
  if (mode === 'verify-ca') {
    return hasCa ? null : `${name} has sslmode=verify-ca, which needs sslrootcert or DATABASE_CA, or use verify-full`;
  }
  return (
    `${name} is on another machine and its certificate is not verified: add ?sslmode=verify-full, ` +
    'or set ALLOW_UNVERIFIED_TLS=postgres where the network between is your own'
  );
}

/**
 * Reads an address as libpq does, with one difference: `require` verifies a server on another machine as `verify-full`
 * does, unless ALLOW_UNVERIFIED_TLS names postgres. The driver alone would encrypt without a check, take `verify-ca` for
 * `verify-full`, check the name `localhost` where the address has an IP address, and know no `sslrootcert`.
 * @param readFile reads the file that sslrootcert names
 * @throws Error when sslmode has another value
 */
export function secureDatabaseAddress(
  url: string,
  settings: TlsSettings,
  readFile: (path: string) => string,
): SecuredAddress {
  const address = readAddress(url, settings);
  if (address === null) throw new Error(`The sslmode of the database's address is none of ${modes.join(', ')}.`);
  const { hosts, isLocal, mode = 'disable', rootCert } = address;
  const isUnverified = mode === 'no-verify' || (mode === 'require' && (isLocal || settings.isUnverifiedAllowed));
  if (mode === 'disable') return { url: address.url, ssl: false };
  if (mode === 'allow' || mode === 'prefer') return { url: address.url, ssl: 'prefer' };
  if (isUnverified) return { url: address.url, ssl: 'require' };
  const file = rootCert === 'system' ? undefined : rootCert;
  const ca = file === undefined ? settings.ca : readFile(file);
  return {
    url: address.url,
    ssl: {
      // Given, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn it off.
      rejectUnauthorized: true,
      ...(ca !== undefined && { ca }),
      ...(hosts.length === 1 && { host: hosts[0] }),
      ...(mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
    },
  };
}

/**
 * What to do about a server whose certificate was refused.
 * @param thrown what the driver threw
 * @returns a sentence; null when it failed for another reason
 */
export function certificateAdvice(thrown: unknown): string | null {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (!/CERT|UNABLE_TO_VERIFY|CRL|^HOSTNAME_MISMATCH$/.test(code)) return null;
  return (
    'Name the certificate authority of the server by sslrootcert in its address or by DATABASE_CA, or set ' +
    'ALLOW_UNVERIFIED_TLS=postgres where the network between is your own.'
  );
}

/** Several hosts may stand in an address (`a:5432,b:5432`), which `URL` does not parse. */
function readAddress(url: string, { defaultHost = 'localhost' }: TlsSettings): DatabaseAddress | null {
  const [location = '', query = ''] = url.split(/\?(.*)/s);
  const params = new URLSearchParams(query);
  const given = params.get('sslmode') ?? params.get('ssl') ?? undefined;
  const rootCert = params.get('sslrootcert') ?? undefined;
  const spelled = given === 'true' ? 'require' : given === 'false' ? 'disable' : given;
  const mode = modes.find((known) => known === spelled);
  if (spelled !== undefined && mode === undefined) return null;
  const [authority = ''] = location.slice(location.indexOf('://') + 3).split('/');
  const hosts = decodeURIComponent(authority.slice(authority.lastIndexOf('@') + 1))
    .split(',')
    .map((host) => host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1') || defaultHost);
  for (const name of ofConnection) params.delete(name);
  return {
    url: params.size > 0 ? `${location}?${params}` : location,
    hosts,
    isLocal: hosts.every((host) => host.startsWith('/') || isLoopbackHost(host)),
    // libpq: a system root certificate allows nothing weaker.
    mode: rootCert === 'system' ? 'verify-full' : mode,
    rootCert,
  };
}
