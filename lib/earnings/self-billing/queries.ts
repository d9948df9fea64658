import { and, desc, eq, like, type SQL } from 'drizzle-orm';
import { db } from '@/db/client';
import { countRows } from '@/db/count-up-to';
import { readIdPage } from '@/db/read-id-page';
import { sellerStatementLines, sellerStatements } from '@/db/schema/seller-statements';
import { users } from '@/db/schema/users';
import type { PageRequest } from '@/lib/id-cursor';

export type SellerStatement = typeof sellerStatements.$inferSelect;
export type StatementLine = typeof sellerStatementLines.$inferSelect;

/** Returns the statements that a list contains: those of one seller, or all for staff. */
const scopeOf = (sellerId: string | undefined): SQL | undefined =>
  sellerId === undefined ? undefined : eq(sellerStatements.sellerId, sellerId);

/**
 * Lists self-billed statements, newest first, with their number up to a cap.
 * @param sellerId undefined for those of all sellers
 * @param year that of the billed months, in UTC; undefined for all
 */
export async function listStatements(sellerId: string | undefined, page: PageRequest, year?: number) {
  const ofYear = year === undefined ? undefined : like(sellerStatements.month, `${year}-%`);
  const scope = and(scopeOf(sellerId), ofYear);
  const [found, counted] = await Promise.all([
    readIdPage(sellerStatements.id, page, async ({ where, orderBy, limit, offset }) => {
      const rows = await db()
        .select({ statement: sellerStatements, sellerEmail: users.email })
        .from(sellerStatements)
        .innerJoin(users, eq(users.id, sellerStatements.sellerId))
        .where(and(scope, where))
        .orderBy(orderBy)
        .limit(limit)
        .offset(offset);
      return rows.map(({ statement, sellerEmail }) => ({ ...statement, sellerEmail }));
    }),
    countRows(sellerStatements, scope),
  ]);
  return { ...found, ...counted };
}

/**
 * Finds a statement with its lines by its number; null if there is none.
 * @param sellerId undefined for staff
 */
export async function findStatement({ year, number }: { year: number; number: number }, sellerId: string | undefined) {
  const [statement] = await db()
    .select()
    .from(sellerStatements)
    .where(and(eq(sellerStatements.year, year), eq(sellerStatements.number, number), scopeOf(sellerId)));
  if (!statement) return null;
  const lines = await db()
    .select()
    .from(sellerStatementLines)
    .where(eq(sellerStatementLines.statementId, statement.id))
    .orderBy(desc(sellerStatementLines.orderId));
  return { statement, lines };
}
