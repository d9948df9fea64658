import { eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import type { TypedSource } from '@/db/enums';
import type { NoticeKind } from '@/db/schema/notices';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { apiUrl, eventFor, installationEvent, type NewEvent, recordEvents } from '@/lib/events/record';
import { getSiteDomain } from '@/lib/network/registrable-domain';
import { createNotification } from '@/lib/notifications/notifications';
import { recordAudit } from '@/lib/platform/audit/record';
import { recordFigures } from './domain-figures/record';
import { refreshListings, refreshSiteFigures } from './domain-figures/refresh';
import { isFigureField, omitRepeatedFigures, toFigureRows } from './domain-figures/typed-figures';
import type { SiteChanges } from './edit-schemas';
import { refreshOwnership } from './ownership/refresh';
import { describeSiteChanges, pick, planSiteChanges } from './plan-changes';
import type { Pricing } from './pricing/price-by-rule';
import type { SiteRow } from './views';
import { deleteConnections } from './wordpress/delete-connections';

/**
 * Writes the changed fields of a locked site and the fields derived from them (`planSiteChanges`).
 * Figures are recorded as typed, and the site shows the best known ones. Figures, and a new URL, need `lockForEdit`.
 * @param source who entered the figures; an edit of the seller returns the site to review
 * @returns the site with its changes; null if no field changed
 * @throws AppError not_configured for a public price in a currency without an exchange rate; invalid_input for a reason of
 * a site that is not rejected, and for sample posts on another website
 */
export async function saveSiteChanges(
  tx: Executor,
  actor: Actor,
  site: SiteRow,
  requested: Partial<SiteChanges>,
  pricing: Pricing,
  source: TypedSource = 'staff',
): Promise<SiteRow | null> {
  const newDomain = requested.url === undefined ? site.domain : getSiteDomain(requested.url);
  const kept = await omitRepeatedFigures(tx, { ...site, domain: newDomain }, requested, source);
  const plan = planSiteChanges(site, kept, pricing, source);
  if (!plan) return null;
  const { after, changed } = plan;
  const { domain } = after;
  await tx
    .update(sites)
    .set({
      ...pick(
        after,
        changed.filter((name) => !isFigureField(name)),
      ),
      urlKey: after.urlKey,
      domain,
      tatDays: after.tatDays,
      publicPriceUsdCents: after.publicPriceUsdCents,
      isPriceStale: after.isPriceStale,
      version: after.version,
    })
    .where(eq(sites.id, site.id));
  const figures = pick(after, changed.filter(isFigureField));
  const hasFigures = (await recordFigures(tx, toFigureRows(after, figures, source))) > 0;
  if (hasFigures && source === 'staff') await refreshSiteFigures(tx, [domain], [site.id]);
  else if (hasFigures || domain !== site.domain) await refreshListings(tx, eq(sites.id, site.id), [site.id]);
  if (changed.includes('ownerId')) await deleteConnections(tx, { siteIds: [site.id] });
  if (changed.includes('ownerId') || domain !== site.domain) await refreshOwnership(tx, [site.domain, domain]);
  await recordAudit(tx, actor, describeSiteChanges(site, plan));
  if (changed.includes('status')) {
    await createNotification(tx, actor, {
      userId: after.ownerId,
      kind: noticeKindByStatus[after.status],
      subject: after.name,
    });
    await recordEvents(tx, decisionEvents(after));
  }
  return after;
}

/** Creates the events of a decision on a site, for its seller and the installation. */
function decisionEvents({ id, name, url, status, ownerId, rejectionReason, rejectionNote }: SiteRow): NewEvent[] {
  if (status === 'Pending') return [];
  const type = status === 'Approved' ? 'site.approved' : 'site.rejected';
  const data = { siteId: id, name, website: url, status, reason: rejectionReason, note: rejectionNote };
  return [
    eventFor(type, 'seller', ownerId, { ...data, url: apiUrl('/api/seller/sites') }),
    installationEvent(type, { ...data, ownerId, url: apiUrl('/api/guest-posts') }),
  ];
}

const noticeKindByStatus = {
  Approved: 'site.approved',
  Rejected: 'site.rejected',
  Pending: 'site.pending',
} as const satisfies Record<SiteRow['status'], NoticeKind>;
