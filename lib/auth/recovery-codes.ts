import { randomBytes } from 'node:crypto';
import { and, eq, inArray, isNull, not, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { recoveryCodes, users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { queueAccountNotice } from '@/lib/mail/security-notices';
import { recordUserAudit } from '@/lib/platform/audit/record';
import { hashPassword, verifyPassword } from './password';
import { requirePassword, requireUnchanged } from './recent-authentication';
import { hasSecondFactor } from './two-step';

const codeCount = 10;

/** Letters and digits only, in lower case: users type the codes from paper. */
const normalizeCode = (code: string) => code.toLowerCase().replace(/[^a-z0-9]/g, '');
const isWellFormed = (code: string) => /^[0-9a-f]{20}$/.test(normalizeCode(code));

/** Replaces a user's recovery codes. @returns ten codes like `ab12-cd34-ef56-7890-ab12`, shown once and not stored */
export async function replaceRecoveryCodes(tx: Executor, userId: string): Promise<string[]> {
  const codes = Array.from({ length: codeCount }, () =>
    (randomBytes(10).toString('hex').match(/.{4}/g) ?? []).join('-'),
  );
  const rows: { userId: string; codeHash: string }[] = [];
  // Sequentially: each hash takes 19 MiB.
  for (const code of codes) rows.push({ userId, codeHash: await hashPassword(normalizeCode(code)) });
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.insert(recoveryCodes).values(rows);
  return codes;
}

/** Consumes a recovery code. @returns false when it is not one of the user's, or was used */
export async function consumeRecoveryCode(tx: Executor, userId: string, code: string): Promise<boolean> {
  if (!isWellFormed(code)) return false;
  const unused = and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt));
  const stored = await tx.select({ codeHash: recoveryCodes.codeHash }).from(recoveryCodes).where(unused);
  for (const { codeHash } of stored) {
    if (!(await verifyPassword(codeHash, normalizeCode(code)))) continue;
    const used = await tx
      .update(recoveryCodes)
      .set({ usedAt: sql`now()` })
      .where(and(unused, eq(recoveryCodes.codeHash, codeHash)))
      .returning({ codeHash: recoveryCodes.codeHash });
    return used.length === 1;
  }
  return false;
}

/** Deletes a user's recovery codes when no second factor is left. */
export async function deleteOrphanedRecoveryCodes(tx: Executor, userId: string): Promise<void> {
  const withoutFactor = tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), not(hasSecondFactor)));
  await tx.delete(recoveryCodes).where(inArray(recoveryCodes.userId, withoutFactor));
}

/** Counts a user's unused recovery codes. */
export async function countRecoveryCodes(tx: Executor, userId: string): Promise<number> {
  const unused = await tx
    .select({ codeHash: recoveryCodes.codeHash })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
  return unused.length;
}

/**
 * Creates ten new recovery codes, with the password; all earlier codes become invalid.
 * @returns the codes, shown only once
 * @throws AppError conflict while two-step sign-in is off, invalid_input for a wrong password, rate_limited after too
 * many attempts, unauthenticated when the password was reset or the session ended in the meantime
 */
export async function renewRecoveryCodes(actor: Actor, password: string): Promise<{ recoveryCodes: string[] }> {
  const checked = await requirePassword(actor, password, 'password');
  return db().transaction(async (tx) => {
    // Locks the row, so that disabling two-step sign-in concurrently leaves no codes.
    await requireUnchanged(tx, actor, checked);
    const [user] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, actor.userId), hasSecondFactor));
    if (!user) throw new AppError('conflict', 'Two-step sign-in is off, so there are no recovery codes to renew.');
    const recoveryCodes = await replaceRecoveryCodes(tx, actor.userId);
    await recordUserAudit(
      tx,
      actor,
      'user.recovery_codes_renewed',
      `${actor.email} created new recovery codes; the earlier ones no longer work.`,
    );
    await queueAccountNotice(tx, actor.email, {
      subject: 'New recovery codes were created',
      text: 'New recovery codes were created for your account. The earlier ones no longer work.',
      from: actor.ip,
    });
    return { recoveryCodes };
  });
}
