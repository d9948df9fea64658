import { createHash, randomBytes } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { recoveryCodes } from '../../db/schema/users';

const codeCount = 10;

/** Letters and digits only, without regard to case: people type these from paper. */
const plain = (code: string) => code.toLowerCase().replace(/[^a-z0-9]/g, '');
const hashOf = (code: string) => createHash('sha256').update(plain(code)).digest('hex');

/** Replaces a person's recovery codes. @returns ten codes like `ab12-cd34-ef56-7890-ab12`, shown once and kept nowhere */
export async function replaceRecoveryCodes(tx: Executor, userId: string): Promise<string[]> {
  const codes = Array.from({ length: codeCount }, () =>
    (randomBytes(10).toString('hex').match(/.{4}/g) ?? []).join('-'),
  );
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: hashOf(code) })));
  return codes;
}

/** Uses a recovery code up. @returns false when it is not one of the person's, or was used */
export async function consumeRecoveryCode(tx: Executor, userId: string, code: string): Promise<boolean> {
  const used = await tx
    .update(recoveryCodes)
    .set({ usedAt: sql`now()` })
    .where(
      and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, hashOf(code)), isNull(recoveryCodes.usedAt)),
    )
    .returning({ codeHash: recoveryCodes.codeHash });
  return used.length === 1;
}

/** How many of a person's recovery codes are unused. */
export async function countRecoveryCodes(tx: Executor, userId: string): Promise<number> {
  const unused = await tx
    .select({ codeHash: recoveryCodes.codeHash })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
  return unused.length;
}
