import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { mailOptOuts } from '@/db/schema/mail-opt-outs';
import type { Actor } from '@/lib/access/actor';
import { mayAccess, requireAccess } from '@/lib/access/authorize';
import { recordAudit } from '@/lib/platform/audit/record';
import { isMailKind, type MailKind, mailKindNames, mailKinds } from './kinds';

/** A kind of mail on the security page. */
export type MailPreference = { kind: MailKind; label: string; hint: string; isOn: boolean };

/** Lists the kinds of mail that the user can receive, and whether each is turned on. */
export async function listMailPreferences(
  actor: Pick<Actor, 'userId' | 'role' | 'permissions'>,
): Promise<MailPreference[]> {
  const off = await listOptOuts(actor.userId);
  return mailKindNames
    .filter((kind) => mayAccess(actor, mailKinds[kind].access))
    .map((kind) => {
      const { label, hint } = mailKinds[kind];
      return { kind, label, hint, isOn: !off.has(kind) };
    });
}

/** Returns the kinds of mail that a user has turned off. */
export async function listOptOuts(userId: string, executor: Executor = db()): Promise<ReadonlySet<MailKind>> {
  const rows = await executor
    .select({ kind: mailOptOuts.kind })
    .from(mailOptOuts)
    .where(eq(mailOptOuts.userId, userId));
  return new Set(rows.map(({ kind }) => kind).filter(isMailKind));
}

export const setMailPreferenceInput = z.object({
  kind: z.enum(mailKindNames, { error: 'This email setting does not exist.' }),
  on: z.boolean(),
});
export type SetMailPreferenceInput = z.output<typeof setMailPreferenceInput>;

/**
 * Turns a kind of mail on or off for the actor. Idempotent; only a change is audited.
 * @throws AppError forbidden for a kind that the actor cannot receive
 */
export async function setMailPreference(actor: Actor, { kind, on }: SetMailPreferenceInput): Promise<void> {
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
      details: `${actor.email} turned emails about “${label}” ${on ? 'on' : 'off'}.`,
      entityType: 'user',
      entityId: userId,
    });
  });
}
