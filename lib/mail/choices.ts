import { eq } from 'drizzle-orm';
import { db, type Executor } from '../../db/client';
import { mailOptOuts } from '../../db/schema/mail-opt-outs';
import { mayAccess } from '../acl/require';
import type { Actor } from '../auth/actor';
import { isMailKind, type MailKind, mailKindNames, mailKinds } from './kinds';

/** A kind of mail as the security page offers it. */
export type MailChoice = { kind: MailKind; label: string; hint: string; isOn: boolean };

/** The kinds that this person can get, each with whether they do. */
export async function listMailChoices(actor: Pick<Actor, 'userId' | 'role' | 'permissions'>): Promise<MailChoice[]> {
  const off = await mailsTurnedOff(actor.userId);
  return mailKindNames
    .filter((kind) => mayAccess(actor, mailKinds[kind].access))
    .map((kind) => {
      const { label, hint } = mailKinds[kind];
      return { kind, label, hint, isOn: !off.has(kind) };
    });
}

/** What somebody turned off. */
export async function mailsTurnedOff(userId: string, executor: Executor = db()): Promise<ReadonlySet<MailKind>> {
  const rows = await executor
    .select({ kind: mailOptOuts.kind })
    .from(mailOptOuts)
    .where(eq(mailOptOuts.userId, userId));
  return new Set(rows.map(({ kind }) => kind).filter(isMailKind));
}
