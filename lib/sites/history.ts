import { and, desc, eq } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { rejectionReasons } from '@/db/enums';
import { auditLogs } from '@/db/schema/audit';
import { siteStatuses } from '@/db/schema/sites';
import { currencies } from '@/lib/money';

const state = z
  .object({
    status: z.enum(siteStatuses),
    sellerPriceCents: z.number().nullable(),
    adminPriceCents: z.number().nullable(),
    publicPriceCents: z.number().nullable(),
    publicCurrency: z.enum(currencies),
    rejectionReason: z.enum(rejectionReasons).nullable(),
    rejectionNote: z.string(),
    isFulfilledByStaff: z.boolean(),
  })
  .partial()
  .catch({});

export type SiteState = z.output<typeof state>;
export type SiteHistoryEntry = { id: number; at: Date; by: string; before: SiteState; after: SiteState };

/** Lists the changes of a site's status, prices and of who fulfills its orders, newest first. Other edits appear only in the audit log. */
export async function listSiteHistory(siteId: number, limit = 50): Promise<SiteHistoryEntry[]> {
  const rows = await db()
    .select({
      id: auditLogs.id,
      at: auditLogs.timestamp,
      by: auditLogs.user,
      before: auditLogs.before,
      after: auditLogs.after,
    })
    .from(auditLogs)
    .where(and(eq(auditLogs.entityType, 'site'), eq(auditLogs.entityId, String(siteId))))
    .orderBy(desc(auditLogs.id))
    .limit(limit);
  return rows
    .map(({ before, after, ...entry }) => ({
      ...entry,
      before: state.parse(before ?? {}),
      after: state.parse(after ?? {}),
    }))
    .filter(({ after }) => Object.keys(after).length > 0);
}
