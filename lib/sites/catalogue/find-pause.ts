import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';

/** Finds the pause of a site that would be on sale without it; null for any other site. */
export async function findPause(id: number): Promise<{ until: Date | null } | null> {
  const [found] = await db()
    .select({ until: sites.pausedUntil })
    .from(sites)
    .where(
      and(
        eq(sites.id, id),
        eq(sites.status, 'Approved'),
        isNotNull(sites.publicPriceUsdCents),
        isNull(sites.deletedAt),
        isNotNull(sites.pausedAt),
      ),
    );
  return found ?? null;
}
