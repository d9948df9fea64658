import { and, eq, isNull, lt, or } from 'drizzle-orm';
import { db } from '../../db/client';
import { users } from '../../db/schema/users';
import { recordAudit } from '../audit/record';
import { AppError } from '../errors';
import { consumeLimit, forgiveLimit } from '../limits/consume';
import { openSecret } from '../payments/secrets';
import type { Actor } from './actor';
import { knowsAddress } from './knows-address';
import { consumeRecoveryCode, countRecoveryCodes } from './recovery-codes';
import { totpStepOf } from './totp-code';
import { totpSlot } from './totp-slot';

/**
 * Checks the code of an account with two-step sign-in: the app's, each step only once, or an unused recovery code, whose
 * use is told in the audit log.
 * @param actor who gave the right password already
 * @param sealedSecret the authenticator's, as the database has it
 * @throws AppError unauthenticated with `fields.code`: the form then asks for it; rate_limited after too many wrong ones
 */
export async function checkSecondFactor(actor: Actor, sealedSecret: string | null, code: string): Promise<void> {
  if (code === '') throw refused('Enter the code of your authenticator app.');
  const limited = { account: actor.userId, address: actor.ip };
  await consumeLimit('secondFactor', limited, () => knowsAddress(actor.email, actor.ip));
  const digits = code.replace(/\s/g, '');
  // Only then is the secret opened: a recovery code also helps where its key was lost.
  const isAppCode = /^\d{6}$/.test(digits);
  const step = sealedSecret && isAppCode ? totpStepOf(openSecret(totpSlot(actor.userId), sealedSecret), digits) : null;
  if (step === null) await consumeRecovery(actor, code);
  else await takeStep(actor.userId, step);
  await forgiveLimit('secondFactor', limited);
}

async function takeStep(userId: string, step: number): Promise<void> {
  const taken = await db()
    .update(users)
    .set({ totpLastStep: step })
    .where(and(eq(users.id, userId), or(isNull(users.totpLastStep), lt(users.totpLastStep, step))))
    .returning({ id: users.id });
  if (taken.length === 0) throw refused('That code was used already. Wait for the next one.');
}

async function consumeRecovery(actor: Actor, code: string): Promise<void> {
  await db().transaction(async (tx) => {
    if (!(await consumeRecoveryCode(tx, actor.userId, code))) {
      throw refused('That code is not right. Try the one shown now.');
    }
    const left = await countRecoveryCodes(tx, actor.userId);
    await recordAudit(tx, actor, {
      action: 'user.recovery_code_used',
      details: `${actor.email} used a recovery code in place of the authenticator; ${left} are left.`,
      entityType: 'user',
      entityId: actor.userId,
    });
  });
}

const refused = (message: string) => new AppError('unauthenticated', message, { fields: { code: message } });
