import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '../../db/client';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';
import { newId } from '../ids';

const known = z.array(z.object({ state: z.string() }));
const row = z.object({ person: z.record(z.string(), z.unknown()) });

/** A person's row in `users`, with the names of its columns. */
export type OwnRow = z.output<typeof row>['person'];

export async function readOwnRow(tx: Executor, actor: Actor): Promise<OwnRow> {
  const rows = z
    .array(row)
    .parse(await tx.execute(sql`select to_jsonb(u) as person from users u where u.id = ${actor.userId}`));
  const [own] = rows;
  if (!own) throw new AppError('unauthenticated', 'Please sign in to continue.');
  return own.person;
}

/**
 * Whoever restores an archive that does not know them keeps their account, so that nobody locks themselves out.
 * @throws AppError conflict when the archive does not know their role either, or knows the account as one that cannot
 * sign in
 */
export async function keepActor(tx: Executor, actor: Actor, own: OwnRow): Promise<void> {
  const [found] = known.parse(
    await tx.execute(sql`
      select case when deleted_at is null then status else 'deleted' end as state
      from users where lower(email) = lower(${actor.email})`),
  );
  if (found?.state === 'Active') return;
  if (found) {
    throw new AppError(
      'conflict',
      `In this backup the account ${actor.email} is ${found.state}: you could not sign in any more. Ask another admin to restore it.`,
    );
  }
  const role = await tx.execute(sql`select 1 from roles where name = ${actor.role}`);
  if (role.length === 0) {
    throw new AppError('conflict', `This backup knows neither your account nor your role ${actor.role}. Ask an admin.`);
  }
  const taken = await tx.execute(sql`select 1 from users where id = ${actor.userId}`);
  const kept = taken.length > 0 ? { ...own, id: newId() } : own;
  await tx.execute(
    sql`insert into users select * from jsonb_populate_record(null::users, ${JSON.stringify(kept)}::text::jsonb)`,
  );
}
