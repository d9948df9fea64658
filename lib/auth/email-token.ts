import { createHash } from 'node:crypto';
import { and, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { type EmailTokenPurpose, emailTokens } from '@/db/schema/email-tokens';
import { users } from '@/db/schema/users';
import { grantedPermissions } from '@/lib/access/authorize';
import { isPermission, type Rights } from '@/lib/access/permissions';
import { newId, newSecret } from '@/lib/ids';

/** How long a link of each purpose is valid; its mail is not sent after that. */
export const emailTokenSeconds: Record<EmailTokenPurpose, number> = {
  'verify-email': 24 * 60 * 60,
  'reset-password': 60 * 60,
  'change-email': 24 * 60 * 60,
  invite: 7 * 24 * 60 * 60,
  telegram: 15 * 60,
};

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

/**
 * Creates the token of a mailed link; earlier links of the same purpose become invalid. For an unknown user id it runs
 * the same statements and stores nothing, so that the response time does not reveal whether an account exists. Locks
 * the user's row first: of concurrent links only the last one is valid.
 * @param newEmail the new address, for a change-email link only
 * @returns the token, which is not stored
 */
export async function createEmailToken(
  tx: Executor,
  userId: string,
  purpose: EmailTokenPurpose,
  newEmail: string | null = null,
): Promise<string> {
  const token = newSecret();
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
  await invalidateEmailTokens(tx, userId, purpose);
  const owner = tx
    .select({
      id: sql<string>`${newId()}`.as('id'),
      userId: users.id,
      purpose: sql<EmailTokenPurpose>`${purpose}`.as('purpose'),
      tokenHash: sql<string>`${hashToken(token)}`.as('token_hash'),
      newEmail: sql<string | null>`${newEmail}::text`.as('new_email'),
      createdAt: sql<Date>`now()`.as('created_at'),
      expiresAt: sql<Date>`now() + make_interval(secs => ${emailTokenSeconds[purpose]})`.as('expires_at'),
      usedAt: sql<Date | null>`null::timestamptz`.as('used_at'),
    })
    .from(users)
    .where(eq(users.id, userId));
  await tx.insert(emailTokens).select(owner);
  return token;
}

/**
 * Consumes a link's token. Of concurrent calls only one succeeds. Locks the user's row first, in the same order as all
 * other writers, which prevents deadlocks.
 * @returns the user's id, or null when the token is unknown, used, replaced or expired
 */
export async function consumeEmailToken(
  tx: Executor,
  token: string,
  purpose: EmailTokenPurpose,
): Promise<string | null> {
  return (await consumeToken(tx, token, purpose))?.userId ?? null;
}

/** Consumes the token of a change-email link. @returns the user's id and the new address, or null */
export async function consumeEmailChange(
  tx: Executor,
  token: string,
): Promise<{ userId: string; newEmail: string } | null> {
  const used = await consumeToken(tx, token, 'change-email');
  return used?.newEmail ? { userId: used.userId, newEmail: used.newEmail } : null;
}

async function consumeToken(tx: Executor, token: string, purpose: EmailTokenPurpose) {
  const owner = tx.select({ id: emailTokens.userId }).from(emailTokens).where(isOpen(token, purpose));
  await tx.select({ id: users.id }).from(users).where(inArray(users.id, owner)).for('no key update');
  const [used] = await tx
    .update(emailTokens)
    .set({ usedAt: sql`now()` })
    .where(isOpen(token, purpose))
    .returning({ userId: emailTokens.userId, newEmail: emailTokens.newEmail });
  return used;
}

/** Finds the user of a valid token, or null. Only `consumeEmailToken` guarantees that the token is still valid. */
export async function findEmailTokenOwner(
  token: string,
  purpose: EmailTokenPurpose,
): Promise<({ name: string; email: string } & Rights) | null> {
  const [owner] = await db()
    .select({ name: users.name, email: users.email, role: users.role, permissions: grantedPermissions })
    .from(emailTokens)
    .innerJoin(users, eq(users.id, emailTokens.userId))
    .where(isOpen(token, purpose));
  return owner ? { ...owner, permissions: owner.permissions.filter(isPermission) } : null;
}

/** Finds the user of a used or replaced token of which the row is still kept, or null. */
export async function findUsedTokenOwner(
  token: string,
  purpose: EmailTokenPurpose,
): Promise<(Rights & { verifiedAt: Date | null }) | null> {
  const [owner] = await db()
    .select({ role: users.role, permissions: grantedPermissions, verifiedAt: users.emailVerifiedAt })
    .from(emailTokens)
    .innerJoin(users, eq(users.id, emailTokens.userId))
    .where(
      and(
        eq(emailTokens.tokenHash, hashToken(token)),
        eq(emailTokens.purpose, purpose),
        isNotNull(emailTokens.usedAt),
        isNull(users.deletedAt),
      ),
    );
  return owner ? { ...owner, permissions: owner.permissions.filter(isPermission) } : null;
}

const isOpen = (token: string, purpose: EmailTokenPurpose) =>
  and(
    eq(emailTokens.tokenHash, hashToken(token)),
    eq(emailTokens.purpose, purpose),
    isNull(emailTokens.usedAt),
    gt(emailTokens.expiresAt, sql`now()`),
  );

/** Invalidates a user's open links of these purposes. */
export async function invalidateEmailTokens(
  tx: Executor,
  userId: string,
  ...purposes: [EmailTokenPurpose, ...EmailTokenPurpose[]]
): Promise<void> {
  await tx
    .update(emailTokens)
    .set({ usedAt: sql`now()` })
    .where(and(eq(emailTokens.userId, userId), inArray(emailTokens.purpose, purposes), isNull(emailTokens.usedAt)));
}
