import { and, asc, count, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { blockedDomains } from '@/db/schema/project-domains';
import { textContains } from '@/db/search';
import { lockAccount } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { getSiteDomain } from '@/lib/network/registrable-domain';
import { listSpellings, normalizeSearch } from '@/lib/network/search-words';
import { isPublicHost, parseWebAddress } from '@/lib/network/web-address';
import { recordAudit } from '@/lib/platform/audit/record';
import { isListName } from './linked-domains/recognize-format';
import { getProject } from './projects';

/** The maximum number of domains in one list. */
const maxBlockedDomains = 20_000;

/** Parses a typed domain or address as `sites.domain`; null for another text. */
export function parseBlockedDomain(typed: string): string | null {
  const url = parseWebAddress(typed)?.url;
  const domain = url ? getSiteDomain(url.href) : '';
  return isPublicHost(domain) ? domain : null;
}

const maxSkipped = 100;

/**
 * Parses a pasted or uploaded list: a domain or an address on each line, or in the first column of a table. A known
 * header is left out.
 * @returns the domains, each once, and the first 100 rows that are no domains
 * @throws AppError invalid_input for a list without a domain
 */
export function parseDomainList(text: string): { domains: string[]; skipped: { row: number; reason: string }[] } {
  const domains = new Set<string>();
  const skipped: { row: number; reason: string }[] = [];
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    const cell = (/^[^,;\t|]*/.exec(line)?.[0] ?? '').replaceAll('"', '').trim();
    if (cell === '') continue;
    const domain = parseBlockedDomain(cell);
    if (domain !== null) domains.add(domain);
    else if (!isListName(cell) && skipped.length < maxSkipped)
      skipped.push({ row: index + 1, reason: 'This is not a domain.' });
  }
  if (domains.size === 0) {
    throw new AppError('invalid_input', 'The list has no domains. Enter one a line, e.g. example.com.');
  }
  return { domains: [...domains], skipped };
}

const domainMessage = 'Enter a domain, e.g. example.com.';
const domainField = z
  .string(domainMessage)
  .max(2_048, domainMessage)
  .transform((typed, context) => {
    const domain = parseBlockedDomain(typed);
    if (domain !== null) return domain;
    context.addIssue({ code: 'custom', message: domainMessage });
    return z.NEVER;
  });

/** The domains of a block list, each once. An address becomes its domain. */
export const blockedDomainsField = z
  .array(domainField, 'Enter the domains as a list.')
  .max(maxBlockedDomains, `A block list holds at most ${maxBlockedDomains.toLocaleString('en-US')} domains.`)
  .transform((domains) => [...new Set(domains)]);

/** The JSON body of PUT /api/user/blocklist and of PUT /api/user/projects/{id}/blocklist: the whole list. */
export const blockListBody = z.object({ domains: blockedDomainsField });

export const blockListResponse = z.object({ domains: z.array(z.string()) }).meta({ title: 'BlockList' });

/** The rows of a file that are no domains, of which the first 100 are listed. */
export const savedBlockListResponse = blockListResponse.extend({
  added: z.int().describe('The number of domains that were not in the list before.'),
  skipped: z
    .array(z.object({ row: z.int(), reason: z.string() }))
    .describe('The first 100 rows of a file that are not domains.'),
});

/** The list of a user for all projects, or with a project that of the project. */
const inList = (accountId: string, projectId: string | null) =>
  and(
    eq(blockedDomains.accountId, accountId),
    projectId === null ? isNull(blockedDomains.projectId) : eq(blockedDomains.projectId, projectId),
  );

/** Returns a block list of the actor. @param projectId null for all projects @throws AppError not_found for a project */
export async function getBlockList(actor: Actor, projectId: string | null): Promise<{ domains: string[] }> {
  if (projectId !== null) await getProject(actor, projectId);
  const rows = await db()
    .select({ domain: blockedDomains.domain })
    .from(blockedDomains)
    .where(inList(actor.accountId, projectId))
    .orderBy(asc(blockedDomains.domain));
  return { domains: rows.map(({ domain }) => domain) };
}

/** Lists a page of a block list whose domains contain `q`. */
export async function listBlockedDomains(
  actor: Actor,
  projectId: string | null,
  { q, limit, offset }: { q: string; limit: number; offset: number },
): Promise<{ rows: { domain: string; createdAt: Date }[]; total: number }> {
  const text = normalizeSearch(q);
  const where = and(
    inList(actor.accountId, projectId),
    text === '' ? undefined : textContains(sql`${blockedDomains.domain}`, ...listSpellings(text)),
  );
  const [rows, [counted]] = await Promise.all([
    db()
      .select({ domain: blockedDomains.domain, createdAt: blockedDomains.createdAt })
      .from(blockedDomains)
      .where(where)
      .orderBy(asc(blockedDomains.domain))
      .limit(limit)
      .offset(offset),
    db().select({ total: count() }).from(blockedDomains).where(where),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** Replaces a block list of the actor. @throws AppError not_found for a project @returns the number of new domains */
export async function saveBlockList(
  actor: Actor,
  projectId: string | null,
  domains: readonly string[],
): Promise<number> {
  return change(actor, projectId, async (tx) => {
    const removed = await removeIn(
      tx,
      and(inList(actor.accountId, projectId), sql`domain <> all(${asArray(domains)})`),
    );
    return { added: await insert(tx, actor, projectId, domains), removed };
  });
}

/**
 * Adds domains to a block list of the actor.
 * @param projectId null for all projects
 * @returns the number of new domains
 * @throws AppError not_found for a project; conflict when the list would be too long
 */
export async function addBlockedDomains(
  actor: Actor,
  projectId: string | null,
  domains: readonly string[],
): Promise<number> {
  return change(actor, projectId, async (tx) => {
    const added = await insert(tx, actor, projectId, domains);
    const [list] = await tx.select({ total: count() }).from(blockedDomains).where(inList(actor.accountId, projectId));
    if ((list?.total ?? 0) > maxBlockedDomains)
      throw new AppError(
        'conflict',
        `A block list holds at most ${maxBlockedDomains.toLocaleString('en-US')} domains. Nothing was added.`,
      );
    return { added, removed: 0 };
  });
}

/** Removes domains from a block list of the actor; null removes all. @throws AppError not_found for a project */
export async function removeBlockedDomains(
  actor: Actor,
  projectId: string | null,
  domains: readonly string[] | null,
): Promise<void> {
  await change(actor, projectId, async (tx) => {
    const chosen = domains ? inArray(blockedDomains.domain, [...domains]) : undefined;
    return { added: 0, removed: await removeIn(tx, and(inList(actor.accountId, projectId), chosen)) };
  });
}

/** The list of all projects changes what colleagues can order. @throws AppError forbidden */
function requireAllProjects({ projectIds, accountName }: Actor, projectId: string | null): void {
  if (projectId !== null || projectIds === null) return;
  throw new AppError(
    'forbidden',
    `This list is for all projects of ${accountName}, and you see certain ones. Block the domains for a project instead.`,
  );
}

/** Changes a list in a transaction that writes an audit line. @returns the number of new domains */
async function change(
  actor: Actor,
  projectId: string | null,
  write: (tx: Executor) => Promise<{ added: number; removed: number }>,
): Promise<number> {
  return db().transaction(async (tx) => {
    requireAllProjects(actor, projectId);
    await lockAccount(tx, actor.accountId);
    const project = projectId === null ? null : await getProject(actor, projectId, tx);
    const { added, removed } = await write(tx);
    if (added > 0 || removed > 0)
      await recordAudit(tx, actor, {
        action: 'project.block_list_changed',
        details: `The block list of ${project ? `project ${project.domain}` : 'all projects'} was changed: ${added} added, ${removed} removed.`,
        entityType: project ? 'project' : actor.accountId === actor.userId ? 'user' : 'account',
        entityId: project?.id ?? actor.accountId,
      });
    return added;
  });
}

const asArray = (domains: readonly string[]): SQL =>
  sql`array(select jsonb_array_elements_text(${JSON.stringify(domains)}::text::jsonb))`;

async function insert(
  tx: Executor,
  { accountId }: Actor,
  projectId: string | null,
  domains: readonly string[],
): Promise<number> {
  const rows = await tx.execute(sql`
    insert into ${blockedDomains} (account_id, project_id, domain)
    select ${accountId}, ${projectId}, domain from unnest(${asArray(domains)}) domain
    on conflict do nothing returning 1`);
  return rows.length;
}

async function removeIn(tx: Executor, where: SQL | undefined): Promise<number> {
  const rows = await tx.delete(blockedDomains).where(where).returning({ id: blockedDomains.id });
  return rows.length;
}
