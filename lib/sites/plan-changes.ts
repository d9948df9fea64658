import type { TypedSource } from '@/db/enums';
import { getSiteDomain } from '@/lib/network/registrable-domain';
import type { AuditEntry } from '@/lib/platform/audit/record';
import type { SiteChanges } from './edit-schemas';
import { convertToListedPrice, normalizeSiteUrl, parseTatDays, requireOwnSamples } from './field-values';
import { type Pricing, priceOnApproval } from './pricing/price-by-rule';
import { resolveRejection } from './rejection';
import type { SiteRow } from './views';

/** What a change does to a site. */
export type SitePlan = {
  /** The site after the change, with its next version. */
  after: SiteRow;
  changed: readonly EditableField[];
  /** A sentence about the price for the audit log; '' for none. */
  note: string;
};

/**
 * Determines the changed fields of a site and the fields derived from them: URL key and domain, turnaround days, and the
 * USD price at the current rate. An approval sets the public price by the commission rules (`priceOnApproval`). A change of the seller
 * returns the site to review. The price alone of a site on sale is not reviewed where a rule moves the public price.
 * @param source who makes the change
 * @returns null if no field changes
 * @throws AppError not_configured for a public price in a currency without an exchange rate; invalid_input for a reason of
 * a site that is not rejected, and for sample posts on another website
 */
export function planSiteChanges(
  site: SiteRow,
  requested: Partial<SiteChanges>,
  pricing: Pricing,
  source: TypedSource,
): SitePlan | null {
  const own = source === 'seller' ? listChangedFields(site, requested) : [];
  const moved = own.join() === 'sellerPriceCents' ? movePublicPrice(site, requested, pricing) : null;
  const isReviewed = own.length > 0 && moved === null;
  const edit: Partial<SiteChanges> = isReviewed ? { ...requested, status: 'Pending' } : requested;
  const typed = { ...edit, ...resolveRejection(site, edit) };
  const goesOnSale = typed.status === 'Approved' && site.status !== 'Approved';
  const price =
    moved ??
    (goesOnSale ? priceOnApproval(pricing, { ...site, ...omitUndefined(typed) }, typed) : { changes: {}, note: '' });
  const changes = { ...typed, ...price.changes };
  const changed = listChangedFields(site, changes);
  if (changed.length === 0) return null;
  const after: SiteRow = { ...site, ...pick(omitUndefined(changes), changed), version: site.version + 1 };
  if (changed.includes('samplePosts') || changed.includes('url')) requireOwnSamples(after);
  if (changed.includes('url')) {
    after.urlKey = normalizeSiteUrl(after.url);
    after.domain = getSiteDomain(after.url);
  }
  if (changed.includes('tat')) after.tatDays = parseTatDays(after.tat);
  // Approval also recalculates the USD price, because the rate may have changed while the site was not listed.
  const isPriced = moved !== null || changed.some((name) => ['publicPriceCents', 'publicCurrency'].includes(name));
  if (isPriced || goesOnSale)
    after.publicPriceUsdCents = convertToListedPrice(pricing.rates, after.publicPriceCents, after.publicCurrency);
  const isRepriced = isReviewed && changed.includes('sellerPriceCents') && site.publicPriceCents !== null;
  after.isPriceStale =
    !goesOnSale && moved === null && !changed.includes('publicPriceCents') && (site.isPriceStale || isRepriced);
  return { after, changed, note: price.note };
}

/** Returns the public price that a rule gives to a site on sale whose seller changes the price; null without one. */
function movePublicPrice(site: SiteRow, requested: Partial<SiteChanges>, pricing: Pricing) {
  if (site.status !== 'Approved' || site.publicPriceCents === null) return null;
  const price = priceOnApproval(pricing, { ...site, ...omitUndefined(requested), isPriceStale: true }, {});
  return typeof price.changes.publicPriceCents === 'number' ? price : null;
}

/** Checks whether a change returns a site to review, so that it leaves the sale until it is approved. */
export const returnsToReview = (site: SiteRow, after: SiteRow): boolean =>
  after.status === 'Pending' && site.status !== 'Pending';

/** Describes a change for the audit log, with the changed fields before and after. */
export const describeSiteChanges = (site: SiteRow, { after, changed, note }: SitePlan): AuditEntry => ({
  action: 'site.updated',
  details: `${formatAuditDetails(site, after, changed)}${note}`,
  entityType: 'site',
  entityId: site.id,
  before: pick(site, changed),
  after: pick(after, changed),
});

/** Picks fields of a site. */
export const pick = (from: Partial<SiteRow>, names: readonly EditableField[]): Partial<SiteRow> =>
  Object.fromEntries(names.map((name) => [name, from[name]]));

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
