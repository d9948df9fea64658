import type { Refusal } from './address-rules';

/** Why a page could not be fetched. None of these says anything about the links on the page. */
export const fetchFailures = [
  'refused',
  'dns',
  'connect',
  'proxy',
  'tls',
  'timeout',
  'interrupted',
  'malformed',
  'too_many_redirects',
  'too_large',
  'headers_too_large',
  'encoding',
  'robots_disallowed',
  'robots_unreachable',
] as const;
export type FetchFailure = (typeof fetchFailures)[number];

export type Redirect = { status: number; from: string; to: string };

export type PageResponse = {
  ok: true;
  /** Never a redirect with a Location. */
  status: number;
  /** The address after all redirects. */
  url: string;
  redirects: Redirect[];
  /** Names in lower case; a header that was sent several times has several values. */
  headers: Partial<Record<string, string[]>>;
  /** After decompression. */
  body: Buffer;
  /** Whether the compressed data ended early: what is missing in the body may be on the page. */
  isPartial?: boolean;
};

export type PageFetch =
  | PageResponse
  /** `url` is the address that failed, the last one of the redirects; `refusal` the rule behind `refused`. */
  | { ok: false; failure: FetchFailure; refusal: Refusal | null; url: string; redirects: Redirect[] };

/** How names are resolved and judged addresses are reached. The rules for addresses apply to every network. */
export type Network = {
  /** Returns all addresses of a name. Replaces the name servers. */
  resolve?(host: string, signal: AbortSignal): Promise<string[]>;
  /** The name server of a name, as address:port; null for those of the operating system. */
  nameServer?(host: string): string | null;
  /** Where a connection to a judged address is made; null for the address itself. */
  route?(target: { host: string; address: string; port: number }): Route | null;
  /** A proxy through which every connection without a route is made. */
  proxy?: URL;
};

/** `isPlain` sends https without TLS; `ca` replaces the trusted certificate authorities (PEM). */
type Route = { address: string; port: number; isPlain?: boolean; ca?: string };

/** Ends a fetch. fetchPage() turns it into its answer. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  constructor(
    readonly failure: FetchFailure,
    readonly refusal: Refusal | null = null,
    options?: ErrorOptions,
  ) {
    super(refusal ? `${failure}: ${refusal}` : failure, options);
  }
}
