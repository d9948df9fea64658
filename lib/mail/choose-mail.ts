import { and, eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { mailOptOuts } from '../../db/schema/mail-opt-outs';
import { requireAccess } from '../acl/require';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import type { ChooseMailInput } from './choice-schemas';
import { mailKinds } from './kinds';

/**
 * Turns a kind of mail on or off for the actor. Said twice, it is as said once, and only a change is audited.
 * @throws AppError forbidden for a kind that the actor cannot get
 */
export async function chooseMail(actor: Actor, { kind, on }: ChooseMailInput): Promise<void> {
  const { access, label } = mailKinds[kind];
  requireAccess(actor, access);
  const { userId } = actor;
  await db().transaction(async (tx) => {
    const changed = on
      ? await tx
          .delete(mailOptOuts)
          .where(and(eq(mailOptOuts.userId, userId), eq(mailOptOuts.kind, kind)))
          .returning({ kind: mailOptOuts.kind })
      : await tx
          .insert(mailOptOuts)
          .values({ userId, kind })
          .onConflictDoNothing()
          .returning({ kind: mailOptOuts.kind });
    if (changed.length === 0) return;
    await recordAudit(tx, actor, {
      action: on ? 'mail.turned_on' : 'mail.turned_off',
      details: `${actor.email} turned mails about “${label}” ${on ? 'on' : 'off'}.`,
      entityType: 'user',
      entityId: userId,
    });
  });
}
