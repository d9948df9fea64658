import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { advisoryLock } from '@/db/advisory-locks';
import { db } from '@/db/client';
import { countCap } from '@/db/count-up-to';
import { featureRoles } from '@/db/schema/feature-roles';
import { rolePermissions, users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { lockRights } from '@/lib/access/authorize';
import { listRoles, requireRole } from '@/lib/access/roles';
import { newId } from '@/lib/ids';
import { makeRole, makeStaff } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';

const lock = (actor: Actor) => db().transaction((tx) => lockRights(tx, actor, 'ManageRoles'));

describe('the rights of a change of rights', () => {
  it('are those that the actor has now, from the role and from features, without unknown permissions', async () => {
    const actor = await makeStaff('ManageRoles');
    const others = await makeStaff('ManageWallets');
    const features = (userId: string, permission: string) =>
      db()
        .insert(featureRoles)
        .values({ id: newId(), name: newId(), userId, features: [], permissions: [permission] });
    await features(actor.userId, 'ManageSites');
    await features(others.userId, 'ManageBackups');
    await db()
      .insert(rolePermissions)
      .values([
        { roleName: actor.role, permission: 'ManageUsers' },
        { roleName: actor.role, permission: 'ManageEverything' },
      ]);
    const current = await lock({ ...actor, role: 'User', permissions: [] });
    expect(current).toMatchObject({ userId: actor.userId, role: actor.role, status: 'Active' });
    expect(current.permissions).toEqual(['AdminDashboard', 'ManageRoles', 'ManageSites', 'ManageUsers']);
  });

  it('of a token are limited to its scopes', async () => {
    const actor = await makeStaff('ManageRoles', 'ManageUsers');
    const token = { id: newId(), name: 'T', scopes: ['AdminDashboard', 'ManageRoles', 'ManageWallets'] };
    expect((await lock({ ...actor, token })).permissions).toEqual(['AdminDashboard', 'ManageRoles']);
    const weaker = { ...token, scopes: ['AdminDashboard', 'ManageUsers'] };
    await expect(lock({ ...actor, token: weaker })).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('are refused to a user who lost them, or was suspended or deleted, in the meantime', async () => {
    const [demoted, suspended, deleted] = [await makeUser('Admin'), await makeUser('Admin'), await makeUser('Admin')];
    const change = (actor: Actor, values: Partial<typeof users.$inferInsert>) =>
      db().update(users).set(values).where(eq(users.id, actor.userId));
    await change(demoted, { role: 'User' });
    await change(suspended, { status: 'Suspended' });
    await change(deleted, { deletedAt: new Date() });
    await expect(lock(demoted)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(lock(suspended)).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(lock(deleted)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('are held under a lock until the transaction ends', async () => {
    const actor = await makeUser('Admin');
    const tryLock = sql`select pg_try_advisory_xact_lock(${advisoryLock('rights')}) as free`;
    const during = await db().transaction(async (tx) => {
      await lockRights(tx, actor, 'ManageRoles');
      return db().execute(tryLock);
    });
    expect([during[0], (await db().execute(tryLock))[0]]).toEqual([{ free: false }, { free: true }]);
  });
});

describe('a role', () => {
  it('has its own permissions, and the number of its users who are not deleted, up to a cap', async () => {
    const [name, other] = [await makeRole(['AdminDashboard', 'ManageSites']), await makeRole(['ManageOrders'])];
    const listed = async () => (await listRoles()).find((role) => role.name === name);
    await makeUser('User', { role: other });
    await makeUser('User', { role: name, deletedAt: new Date() });
    await makeUser('User', { role: name });
    const permissions = ['AdminDashboard', 'ManageSites'];
    const role = { name, isBuiltIn: false, permissions, userCount: 1, isCapped: false };
    expect(await listed()).toEqual(role);
    expect(await requireRole(name.toUpperCase())).toEqual(role);
    await expect(requireRole('Nobody')).rejects.toMatchObject({ code: 'not_found' });

    await db().execute(sql`
      insert into users (id, email, password_hash, role)
      select 'counted-' || n, 'counted-' || n || '@example.com', 'none', ${name} from generate_series(2, ${countCap}::int) n`);
    expect(await listed()).toEqual({ ...role, userCount: countCap });
    await makeUser('User', { role: name });
    expect(await listed()).toEqual({ ...role, userCount: countCap, isCapped: true });
  });
});
