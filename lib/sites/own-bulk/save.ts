import { eq, inArray, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { type AuditEntry, recordAudit } from '@/lib/platform/audit/record';
import { recordFigures } from '@/lib/sites/domain-figures/record';
import { refreshListings } from '@/lib/sites/domain-figures/refresh';
import { listChangedFigures, toFigureRows } from '@/lib/sites/domain-figures/typed-figures';
import { refreshOwnership } from '@/lib/sites/ownership/refresh';
import type { SiteRow } from '@/lib/sites/views';
import { deleteConnections } from '@/lib/sites/wordpress/delete-connections';

/** A site of a seller before and after a change, with the lines of the change for the audit log. */
export type ChangedSite = { site: SiteRow; after: SiteRow; entries: readonly AuditEntry[] };

/** The sites of one statement: more would make its parameters large. */
const sitesAtOnce = 1_000;

/**
 * Saves changes of sites that the caller has locked, in a fixed number of statements for every 1,000 sites. Figures are
 * recorded as typed by the seller, and the sites show the best known ones. The domain of a new URL must be locked
 * (`lockDomains`). The seller gets no notification of the own change.
 */
export async function saveOwnSites(tx: Executor, actor: Actor, changed: readonly ChangedSite[]): Promise<void> {
  for (let start = 0; start < changed.length; start += sitesAtOnce)
    await saveBatch(tx, actor, changed.slice(start, start + sitesAtOnce));
}

async function saveBatch(tx: Executor, actor: Actor, changed: readonly ChangedSite[]): Promise<void> {
  await updateSites(
    tx,
    changed.map(({ after }) => after),
  );
  const removed = changed.filter(({ after }) => after.deletedAt !== null);
  if (removed.length > 0) await deleteConnections(tx, { siteIds: removed.map(({ site }) => site.id) });
  const moved = changed.filter(({ site, after }) => after.domain !== site.domain);
  const figures = changed.map(({ site, after }) => toFigureRows(after, listChangedFigures(site, after), 'seller'));
  await recordFigures(tx, figures.flat());
  const refreshed = changed.filter((one, at) => moved.includes(one) || figures[at]?.length).map(({ site }) => site.id);
  if (refreshed.length > 0) await refreshListings(tx, inArray(sites.id, refreshed), refreshed);
  const domains = [...removed, ...moved].flatMap(({ site, after }) => [site.domain, after.domain]);
  await refreshOwnership(tx, [...new Set(domains)]);
  await recordAudit(tx, actor, ...changed.flatMap(({ entries }) => entries));
}

/** The fields that a change may set, with the types of their columns. Figures come from `refreshListings`. */
const writtenFields = [
  ['url', 'text'],
  ['urlKey', 'text'],
  ['domain', 'text'],
  ['name', 'text'],
  ['niche', 'text'],
  ['postType', 'text'],
  ['country', 'text'],
  ['language', 'text'],
  ['followType', 'text'],
  ['words', 'integer'],
  ['tat', 'text'],
  ['tatDays', 'integer'],
  ['samplePosts', 'text'],
  ['rules', 'text'],
  ['sellerPriceCents', 'bigint'],
  ['adminPriceCents', 'bigint'],
  ['publicPriceCents', 'bigint'],
  ['publicPriceUsdCents', 'bigint'],
  ['isPriceStale', 'boolean'],
  ['status', 'text'],
  ['rejectionReason', 'text'],
  ['rejectionNote', 'text'],
  ['pausedAt', 'timestamptz'],
  ['pausedUntil', 'timestamptz'],
  ['deletedAt', 'timestamptz'],
  ['version', 'integer'],
] as const satisfies readonly (readonly [keyof SiteRow, string])[];

/** Writes the fields of locked sites in one statement, whose text does not depend on their number. */
async function updateSites(tx: Executor, wanted: readonly SiteRow[]): Promise<void> {
  const rows = wanted.map((site) => ({
    id: site.id,
    ...Object.fromEntries(writtenFields.map(([name]) => [name, site[name]])),
  }));
  const columns = writtenFields.map(([name, type]) => `"${name}" ${type}`).join(', ');
  await tx
    .update(sites)
    .set(Object.fromEntries(writtenFields.map(([name]) => [name, sql.raw(`wanted."${name}"`)])))
    .from(sql`jsonb_to_recordset((${JSON.stringify(rows)}::text)::jsonb) as wanted(id integer, ${sql.raw(columns)})`)
    .where(eq(sites.id, sql`wanted.id`));
}
