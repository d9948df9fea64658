import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { users } from '../../db/schema/users';
import { recordAudit } from '../audit/record';
import { AppError } from '../errors';
import { consumeLimit, forgiveLimit } from '../limits/consume';
import { queueAccountNotice } from '../mail/security-notices';
import { openSecret } from '../payments/secrets';
import type { Actor } from './actor';
import { replaceRecoveryCodes } from './recovery-codes';
import { totpStepOf } from './totp-code';
import { totpSlot } from './totp-slot';

/** How long a secret that was shown may wait for its first code: on a screen left open others may have seen it. */
const enrolmentSeconds = 15 * 60;

/**
 * Turns two-step sign-in on, once the app has shown that it has the secret.
 * @returns the recovery codes, shown this once
 * @throws AppError invalid_input for a wrong code, conflict when there is nothing to confirm or it was begun too long
 * ago, rate_limited after too many codes
 */
export async function confirmTotp(actor: Actor, code: string): Promise<{ recoveryCodes: string[] }> {
  const limited = { account: actor.userId, address: actor.ip };
  await consumeLimit('enrolment', limited);
  const confirmed = await enrol(actor, code);
  await forgiveLimit('enrolment', limited);
  return confirmed;
}

async function enrol(actor: Actor, code: string): Promise<{ recoveryCodes: string[] }> {
  return db().transaction(async (tx) => {
    const [user] = await tx
      .select({ totpSecret: users.totpSecret })
      .from(users)
      .where(
        and(
          eq(users.id, actor.userId),
          isNull(users.totpEnabledAt),
          gt(users.totpBegunAt, sql`now() - make_interval(secs => ${enrolmentSeconds})`),
        ),
      )
      .for('no key update');
    if (!user?.totpSecret) throw new AppError('conflict', 'Start again: there is no enrolment to confirm.');
    const step = totpStepOf(openSecret(totpSlot(actor.userId), user.totpSecret), code);
    if (step === null) {
      const message = 'That code is not right. Enter the one the app shows now.';
      throw new AppError('invalid_input', message, { fields: { code: message } });
    }
    await tx.update(users).set({ totpEnabledAt: sql`now()`, totpLastStep: step }).where(eq(users.id, actor.userId));
    const recoveryCodes = await replaceRecoveryCodes(tx, actor.userId);
    await recordAudit(tx, actor, {
      action: 'user.totp_enabled',
      details: `${actor.email} turned two-step sign-in on.`,
      entityType: 'user',
      entityId: actor.userId,
    });
    await queueAccountNotice(tx, actor.email, {
      subject: 'Two-step sign-in was turned on',
      text: 'Signing in to your account now needs a code besides the password.',
      from: actor.ip,
    });
    return { recoveryCodes };
  });
}
