import { eq } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import type { NoticeKind } from '../../db/schema/notices';
import { sites } from '../../db/schema/sites';
import type { Actor } from '../access/actor';
import { createNotification } from '../notifications/create';
import { recordAudit } from '../platform/audit/record';

import type { SiteChanges } from './edit-schemas';
import { urlKey } from './site-url';
import { readTatDays } from './tat-days';
import { type Rates, usdPriceCents } from './usd-price';
import type { SiteRow } from './views';

/**
 * Writes what an edit changes on a site that is locked, with what follows from it: the key of the URL, the days of the
 * turnaround, the price in USD at the rate in force. The audit entry holds the changed fields before and after.
 * @returns whether anything was changed
 * @throws AppError not_configured for a public price in a currency without a rate
 */
export async function saveChanges(
  tx: Executor,
  actor: Actor,
  site: SiteRow,
  changes: Partial<SiteChanges>,
  rates: Rates,
): Promise<boolean> {
  const changed = changedFields(site, changes);
  if (changed.length === 0) return false;
  const pick = (from: Partial<SiteRow>) => Object.fromEntries(changed.map((name) => [name, from[name]]));
  const after: SiteRow = { ...site, ...pick(withoutGaps(changes)) };

  // Also when a site goes on sale: the rate may have moved while nobody could order it.
  const isPriced = changed.some((name) => ['publicPriceCents', 'publicCurrency'].includes(name));
  const goesOnSale = changed.includes('status') && after.status === 'Approved';
  const publicPriceUsdCents =
    isPriced || goesOnSale
      ? usdPriceCents(rates, after.publicPriceCents, after.publicCurrency)
      : site.publicPriceUsdCents;
  await tx
    .update(sites)
    .set({
      ...pick(after),
      ...(changed.includes('url') && { urlKey: urlKey(after.url) }),
      ...(changed.includes('tat') && { tatDays: readTatDays(after.tat) }),
      publicPriceUsdCents,
      version: site.version + 1,
    })
    .where(eq(sites.id, site.id));
  await recordAudit(tx, actor, {
    action: 'site.updated',
    details: sentenceOf(site, after, changed),
    entityType: 'site',
    entityId: site.id,
    before: pick(site),
    after: pick(after),
  });
  if (changed.includes('status')) {
    await createNotification(tx, actor, { userId: after.ownerId, kind: noticeOf[after.status], subject: after.name });
  }
  return true;
}

const noticeOf = {
  Approved: 'site.approved',
  Rejected: 'site.rejected',
  Pending: 'site.pending',
} as const satisfies Record<SiteRow['status'], NoticeKind>;

const withoutGaps = (changes: Partial<SiteChanges>): Partial<SiteRow> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

function sentenceOf(site: SiteRow, after: SiteRow, changed: readonly string[]): string {
  const status = changed.includes('status') ? `; it was ${site.status} and is ${after.status}` : '';
  return `Site #${site.id} ${after.url} was changed (${changed.join(', ')})${status}.`;
}

/** Every column an edit may set. */
const editable = [
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
  'sellerPriceCents',
  'adminPriceCents',
  'publicPriceCents',
  'publicCurrency',
  'status',
] as const satisfies readonly (keyof SiteRow & keyof SiteChanges)[];

type EditableField = (typeof editable)[number];

/** Which fields of a site an edit would really change; what it leaves out stays. */
export function changedFields(site: SiteRow, changes: Partial<SiteChanges>): EditableField[] {
  return editable.filter((name) => changes[name] !== undefined && changes[name] !== site[name]);
}
