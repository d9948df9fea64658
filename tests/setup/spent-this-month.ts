import { db } from '@/db/client';
import { listSpending } from '@/lib/orders/spending/facts';

/** Counts what an account spent this month on the orders of a member or of a project, in USD cents. */
export async function getSpentThisMonth(accountId: string, of: { memberId: string } | { projectId: string }) {
  const rows = await listSpending(db(), { accountId, ...of });
  return rows.reduce((sum, { spentCents }) => sum + spentCents, 0);
}
