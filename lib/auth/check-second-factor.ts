import { and, eq, isNull, lt, or } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { users } from '../../db/schema/users';
import { AppError } from '../errors';
import { openSecret } from '../payments/secrets';
import { consumeRecoveryCode } from './recovery-codes';
import { totpStepOf } from './totp-code';
import { totpSlot } from './totp-slot';

/**
 * Checks the code of an account with two-step sign-in: the app's, each step only once, or an unused recovery code.
 * @throws AppError unauthenticated with `fields.code`: the form then asks for it
 */
export async function checkSecondFactor(
  tx: Executor,
  user: { id: string; totpSecret: string | null },
  code: string,
): Promise<void> {
  if (code === '') throw refused('Enter the code of your authenticator app.');
  const digits = code.replace(/\s/g, '');
  const step = user.totpSecret ? totpStepOf(openSecret(totpSlot(user.id), user.totpSecret), digits) : null;
  if (step !== null) {
    const taken = await tx
      .update(users)
      .set({ totpLastStep: step })
      .where(and(eq(users.id, user.id), or(isNull(users.totpLastStep), lt(users.totpLastStep, step))))
      .returning({ id: users.id });
    if (taken.length === 1) return;
    throw refused('That code was used already. Wait for the next one.');
  }
  if (!(await consumeRecoveryCode(tx, user.id, code))) throw refused('That code is not right. Try the one shown now.');
}

const refused = (message: string) => new AppError('unauthenticated', message, { fields: { code: message } });
