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
import { convertToListedPrice, normalizeSiteUrl, parseTatDays, requireOwnSamples } from './field-values';
import { refreshOwnership } from './ownership/refresh';
import { type Pricing, priceOnApproval } from './pricing/price-by-rule';
import { resolveRejection } from './rejection';
import type { SiteRow } from './views';

/**
 * Writes the changed fields of a locked site and the fields derived from them: URL key, turnaround days, and the USD
 * price at the current rate. An approval sets the public price by the commission rules (`priceOnApproval`). The audit entry holds the changed fields before and after.
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
  const domain = requested.url === undefined ? site.domain : getSiteDomain(requested.url);
  const kept = await omitRepeatedFigures(tx, { ...site, domain }, requested, source);
  const isReviewed = source === 'seller' && listChangedFields(site, kept).length > 0;
  const edit: Partial<SiteChanges> = isReviewed ? { ...kept, status: 'Pending' } : kept;
  const typed = { ...edit, ...resolveRejection(site, edit) };
  const goesOnSale = typed.status === 'Approved' && site.status !== 'Approved';
  const price = goesOnSale
    ? priceOnApproval(pricing, { ...site, ...omitUndefined(typed) }, typed)
    : { changes: {}, note: '' };
  const changes = { ...typed, ...price.changes };
  const changed = listChangedFields(site, changes);
  if (changed.length === 0) return null;
  const pick = (from: Partial<SiteRow>, names: readonly EditableField[] = changed) =>
    Object.fromEntries(names.map((name) => [name, from[name]]));
  const after: SiteRow = { ...site, ...pick(omitUndefined(changes)), domain };
  if (changed.includes('samplePosts') || changed.includes('url')) requireOwnSamples(after);

  // Approval also recalculates the USD price, because the rate may have changed while the site was not listed.
  const isPriced = changed.some((name) => ['publicPriceCents', 'publicCurrency'].includes(name));
  const publicPriceUsdCents =
    isPriced || goesOnSale
      ? convertToListedPrice(pricing.rates, after.publicPriceCents, after.publicCurrency)
      : site.publicPriceUsdCents;
  const isRepriced = source === 'seller' && changed.includes('sellerPriceCents') && site.publicPriceCents !== null;
  await tx
    .update(sites)
    .set({
      ...pick(
        after,
        changed.filter((name) => !isFigureField(name)),
      ),
      ...(changed.includes('url') && { urlKey: normalizeSiteUrl(after.url), domain }),
      ...(changed.includes('tat') && { tatDays: parseTatDays(after.tat) }),
      publicPriceUsdCents,
      isPriceStale: !goesOnSale && !changed.includes('publicPriceCents') && (site.isPriceStale || isRepriced),
      version: site.version + 1,
    })
    .where(eq(sites.id, site.id));
  const figures = pick(after, changed.filter(isFigureField));
  const hasFigures = (await recordFigures(tx, toFigureRows(after, figures, source))) > 0;
  if (hasFigures && source === 'staff') await refreshSiteFigures(tx, [domain], site.id);
  else if (hasFigures || domain !== site.domain) await refreshListings(tx, eq(sites.id, site.id), site.id);
  if (changed.includes('ownerId') || domain !== site.domain) await refreshOwnership(tx, [site.domain, domain]);
  await recordAudit(tx, actor, {
    action: 'site.updated',
    details: `${formatAuditDetails(site, after, changed)}${price.note}`,
    entityType: 'site',
    entityId: site.id,
    before: pick(site),
    after: pick(after),
  });
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

const omitUndefined = (changes: Partial<SiteChanges>): Partial<SiteRow> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

function formatAuditDetails(site: SiteRow, after: SiteRow, changed: readonly string[]): string {
  const status = changed.includes('status') ? `; it was ${site.status} and is ${after.status}` : '';
  return `Site #${site.id} ${after.url} was changed (${changed.join(', ')})${status}.`;
}

/** The columns that an edit may change. */
const editableFields = [
  'ownerId',
  'name',
  'url',
  'niche',
  'postType',
  'country',
  'language',
  'followType',
  'dr',
  'da',
  'authorityScore',
  'spam',
  'traffic',
  'keywordsCount',
  'refDomains',
  'words',
  'tat',
  'samplePosts',
  'rules',
  'sellerPriceCents',
  'adminPriceCents',
  'publicPriceCents',
  'publicCurrency',
  'status',
  'rejectionReason',
  'rejectionNote',
  'isFulfilledByStaff',
] as const satisfies readonly (keyof SiteRow & keyof SiteChanges)[];

type EditableField = (typeof editableFields)[number];

/** Lists the fields whose value an edit would change. Absent fields are unchanged. */
function listChangedFields(site: SiteRow, changes: Partial<SiteChanges>): EditableField[] {
  return editableFields.filter((name) => changes[name] !== undefined && changes[name] !== site[name]);
}
