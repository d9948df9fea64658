import { z } from 'zod';
import { checkCauses, type linkChecks, linkVerdicts } from '@/db/schema/links';
import type { WatchRow } from './queries';

/** What a check found on the page. */
const evidenceResponse = z.object({
  status: z.int().nullable().describe('The HTTP status of the final response; null without a response.'),
  finalUrl: z.string(),
  redirects: z.array(z.object({ status: z.int(), from: z.string(), to: z.string() })),
  found: z.boolean().describe('Whether the page has a visible link to the target.'),
  rel: z.string().describe('The tokens of the link’s `rel`.'),
  anchor: z.string().describe('The text of the link.'),
  indexable: z.boolean().nullable().describe('Whether search engines may show the page; null if it was not read.'),
  reasons: z.array(z.string()).describe('Codes of what explains the verdict.'),
});

/** The result of a check of an order's link. */
export const linkCheckResponse = z
  .object({
    id: z.int(),
    verdict: z.enum(linkVerdicts),
    checkedAt: z.iso.datetime(),
    cause: z.enum(checkCauses),
    pageUrl: z.string(),
    evidence: evidenceResponse,
  })
  .meta({ title: 'LinkCheck' });

export const linkChecksResponse = z.array(linkCheckResponse);

/** Returns a check as the buyer, the seller and staff see it. */
export function linkCheckView(row: typeof linkChecks.$inferSelect): z.output<typeof linkCheckResponse> {
  const { status, finalUrl, redirects, found, rel, anchor, indexable, reasons } = row;
  return {
    id: row.id,
    verdict: row.verdict,
    checkedAt: row.at.toISOString(),
    cause: row.cause,
    pageUrl: row.pageUrl,
    evidence: { status, finalUrl, redirects, found, rel, anchor, indexable, reasons },
  };
}

/** A link that is checked, as staff see it. */
const watchResponse = z
  .object({
    orderId: z.int(),
    website: z.string(),
    packageName: z.string(),
    buyerEmail: z.string(),
    fulfilledBy: z.enum(['seller', 'staff']),
    pageUrl: z.string(),
    targetUrl: z.string(),
    verdict: z.enum(linkVerdicts).nullable(),
    checkedAt: z.iso.datetime().nullable(),
    reasons: z.array(z.string()),
    notOkSince: z.iso.datetime().nullable().describe('Since when no check found the link in order.'),
    brokenConfirmedAt: z.iso.datetime().nullable(),
    repairDueAt: z.iso.datetime().nullable().describe('When the link is lost without a repair.'),
    unknownSince: z.iso.datetime().nullable(),
    nextCheckAt: z.iso.datetime().nullable(),
  })
  .meta({ title: 'WatchedLink' });

/** The response of GET /api/admin/link-checks. */
export const watchesResponse = z.object({
  links: z.array(watchResponse),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
});

export function watchView(row: WatchRow): z.output<typeof watchResponse> {
  const { website, packageName, buyerEmail, pageUrl, targetUrl, verdict, reasons } = row;
  const iso = (at: Date | null) => at?.toISOString() ?? null;
  return {
    orderId: row.id,
    website,
    packageName,
    buyerEmail,
    fulfilledBy: row.sellerId !== null && row.state !== 'taken_over' ? 'seller' : 'staff',
    pageUrl,
    targetUrl,
    verdict,
    checkedAt: iso(row.checkedAt),
    reasons: reasons ?? [],
    notOkSince: iso(row.notOkSince),
    brokenConfirmedAt: iso(row.brokenConfirmedAt),
    repairDueAt: iso(row.repairDueAt),
    unknownSince: iso(row.unknownSince),
    nextCheckAt: iso(row.nextCheckAt),
  };
}
