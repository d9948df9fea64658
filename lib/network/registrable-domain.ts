import { getDomain } from 'tldts';
import { canParseUrl } from './can-parse-url';

/** Returns the domain that its owner registered, also below the suffix of a host of blogs; for an IP address, itself. */
export const getRegistrableDomain = (url: string): string => reduceHost(getHost(url));

const reduceHost = (host: string) => getDomain(host, { allowPrivateDomains: true }) ?? host;

/** A domain below the names reserved for examples (RFC 2606). */
const exampleDomain = /[^.]+\.example\.(?:com|net|org)$/;

/**
 * Returns the domain of a listing, to which its figures and proofs belong: the registrable one. The names reserved for
 * examples count as suffixes, because the sites of the demo are below them and have different owners.
 */
export const getSiteDomain = (url: string): string => getSiteDomainOfHost(getHost(url));

/** Returns the domain of a listing by its host, as the URL parser writes it. */
export const getSiteDomainOfHost = (host: string): string => exampleDomain.exec(host)?.[0] ?? reduceHost(host);

/** The URL parser converts names with other letters to ASCII, as links contain either form. */
const getHost = (url: string) => (canParseUrl(url) ? new URL(url).hostname : url);
