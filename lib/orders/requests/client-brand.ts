import { desc, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { clientReports } from '@/db/schema/client-reports';
import { readLogoUrl } from '@/lib/orders/client-reports/open';
import { firstColor } from '@/lib/orders/client-reports/reports';

/** Reads the look of the agency: that of the last client report of the project, otherwise the name of the account. */
export async function getClientBrand({ projectId, accountName }: { projectId: string; accountName: string }) {
  const { brandName, brandColor, brandLogoId } = clientReports;
  const [last] = await db()
    .select({ brandName, brandColor, brandLogoId })
    .from(clientReports)
    .where(eq(clientReports.projectId, projectId))
    .orderBy(desc(clientReports.createdAt), desc(clientReports.id))
    .limit(1);
  if (!last) return { name: accountName, color: firstColor, logoUrl: null };
  return { name: last.brandName, color: last.brandColor, logoUrl: await readLogoUrl(last) };
}
