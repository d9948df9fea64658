import { eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { legalConsents, legalDocuments } from '@/db/schema/legal';
import { users } from '@/db/schema/users';

/** Records that a user has agreed to every version of the documents, so that the sign-in does not ask. */
export async function makeConsents(email: string): Promise<void> {
  const all = db()
    .select({
      userId: users.id,
      kind: legalDocuments.kind,
      version: legalDocuments.version,
      agreedAt: sql<Date>`now()`.as('agreed_at'),
    })
    .from(users)
    .innerJoin(legalDocuments, sql`true`)
    .where(eq(users.email, email));
  await db().insert(legalConsents).select(all).onConflictDoNothing();
}
