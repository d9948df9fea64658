import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { z } from 'zod';
import { installationNetwork } from '@/lib/links/installation-network';
import { getSiteDomain } from '@/lib/network/registrable-domain';
import { proofName, proofPlaces } from './show';

/** What a method found: `message` is null for the token, otherwise why it does not prove the domain. */
export type Finding = {
  message: string | null;
  /** No server said anything. */
  isUnanswered?: boolean;
  /** The proxy of this installation failed. */
  isProxyDown?: boolean;
};
export type TokenCheck = (text: string) => boolean;

/** The queries of a proof. A query without an answer rejects as Node.js does. */
type DnsLookup = {
  txt(name: string): Promise<string[][]>;
  cname(name: string): Promise<string[]>;
  soa(name: string): Promise<unknown>;
};

/** Creates the queries to the name servers of this installation. */
function createDnsLookup(): DnsLookup {
  const resolverOf = (name: string) => {
    const resolver = new Resolver({ timeout: 2_500, tries: 2 });
    const server = installationNetwork().nameServer?.(name);
    if (server) resolver.setServers([server]);
    return resolver;
  };
  return {
    txt: (name) => resolverOf(name).resolveTxt(name),
    cname: (name) => resolverOf(name).resolveCname(name),
    soa: (name) => resolverOf(name).resolveSoa(name),
  };
}

/**
 * Looks for the token in the TXT records of `_linkmarket.<domain>`, among any others. The strings of a record are joined
 * (RFC 7208, 3.3). A CNAME of this name proves, because the owner of the domain gave the name away on purpose; one that
 * answers for every name does not, as control of its target is control of forgotten subdomains only.
 */
export async function probeDns(domain: string, isToken: TokenCheck, lookup = createDnsLookup()): Promise<Finding> {
  const name = proofPlaces(domain).dns;
  let records: string[];
  try {
    records = (await lookup.txt(name)).map((strings) => strings.join(''));
  } catch (thrown) {
    const code = errorCode(thrown);
    if (absent.has(code)) return { message: `${name} has no TXT record.` };
    return { message: `${name}: ${failures[code] ?? 'the name servers did not answer'}.`, isUnanswered: true };
  }
  const values = records.flatMap((record) => valuePattern.exec(record)?.[1] ?? []);
  if (!values.some(isToken)) {
    return {
      message:
        values.length > 0
          ? `The TXT record of ${name} has a token that is not yours for this domain.`
          : `${name} has TXT records, but none begins with ${proofName}=.`,
    };
  }
  const target = await findCname(lookup, name);
  if (target === null || getSiteDomain(target) === domain) return { message: null };
  const sibling = await findCname(lookup, `_lm${randomBytes(6).toString('hex')}.${domain}`);
  if (sibling === null) return { message: null };
  return { message: `Every name below ${domain} leads to ${target}. Add a TXT record for ${name} itself.` };
}

/** Some panels store the quotes that people enter. */
const valuePattern = new RegExp(`^\\s*["']?${proofName}\\s*=\\s*["']?([^\\s"']+)["']?\\s*$`, 'i');

const absent = new Set(['ENODATA', 'ENOTFOUND', 'EBADNAME']);
const failures: Partial<Record<string, string>> = {
  ESERVFAIL: 'the name servers of the domain failed',
  EREFUSED: 'the name servers refused the query',
  ETIMEOUT: 'the name servers did not answer in time',
};

async function findCname(lookup: DnsLookup, name: string): Promise<string | null> {
  try {
    return (await lookup.cname(name))[0] ?? null;
  } catch {
    // Without a CNAME of its own, or without an answer: the TXT record was answered all the same.
    return null;
  }
}

/** Checks whether name servers answer at all, by a query about the top-level domain. */
export async function isDnsReachable(domain: string, lookup = createDnsLookup()): Promise<boolean> {
  try {
    await lookup.soa(domain.split('.').at(-1) ?? domain);
    return true;
  } catch (thrown) {
    return absent.has(errorCode(thrown));
  }
}

const coded = z.object({ code: z.string() });
const errorCode = (thrown: unknown): string => coded.safeParse(thrown).data?.code ?? '';
