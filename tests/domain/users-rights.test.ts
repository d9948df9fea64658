import { and, eq, isNull, sql } from 'drizzle-orm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { rolePermissions, users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { getRolePermissions, isAdminRole, type Permission, permissions } from '@/lib/access/permissions';
import { listRoles, requireRole } from '@/lib/access/roles';
import { getSettledRights } from '@/lib/access/settled-rights';
import { newId } from '@/lib/ids';
import { features } from '@/lib/roles/feature-roles/contract';
import { createFeatureRole, deleteFeatureRole, updateFeatureRole } from '@/lib/roles/feature-roles/feature-roles';
import { createRole, deleteRole, grantPermission, revokePermission } from '@/lib/roles/roles';
import { findPerson } from '@/lib/users/queries';
import { assignRole, createUser, updateUser } from '@/lib/users/users';
import { deleteUser } from '@/lib/workflows/delete-user';
import { propertyRuns } from '@/scripts/testing/tier';
import { makeRole, makeStaff } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';
import { settle } from '@/tests/setup/settle';

const roleOf = async ({ userId }: Pick<Actor, 'userId'>) => (await findPerson(userId))?.role;
const rightsOf = async ({ userId }: Pick<Actor, 'userId'>) => (await findPerson(userId))?.permissions.sort();
const anotherUser = (role: string) => ({
  name: 'New',
  email: `${newId()}@example.com`,
  status: 'Active' as const,
  role,
  password: 'a long enough password',
});

/** Admins who can sign in. */
const activeAdmins = () =>
  db()
    .select({ id: users.id })
    .from(users)
    .where(and(sql`lower(${users.role}) = 'admin'`, eq(users.status, 'Active'), isNull(users.deletedAt)));

describe('staff with ManageUsers', () => {
  /** Each with a user with more permissions, and one with fewer. */
  const acts: [what: string, act: (actor: Actor, target: Actor) => Promise<unknown>][] = [
    ['rename', (actor, { userId }) => updateUser(actor, userId, { name: `Renamed ${newId()}` })],
    ['suspend', (actor, { userId }) => updateUser(actor, userId, { status: 'Suspended' })],
    ['give another address to', (actor, { userId }) => updateUser(actor, userId, { email: `${newId()}@example.com` })],
    ['give a password to', (actor, { userId }) => updateUser(actor, userId, { password: 'chosen by another user' })],
    ['demote', (actor, { userId }) => assignRole(actor, userId, 'User')],
    ['delete', (actor, { userId }) => deleteUser(actor, userId)],
  ];

  it.each(acts)('can %s users with fewer permissions, and none with more', async (_, act) => {
    const staff = await makeStaff('ManageUsers', 'ManageOrders');
    for (const target of [await makeUser('Admin'), await makeStaff('ManageUsers', 'ManageWallets')]) {
      const before = await findPerson(target.userId);
      await expect(act(staff, target)).rejects.toMatchObject({ code: 'forbidden' });
      expect(await findPerson(target.userId)).toEqual(before);
    }
    for (const target of [await makeStaff('ManageOrders'), await makeUser('Seller')]) {
      const before = await findPerson(target.userId);
      await act(staff, target);
      expect(await findPerson(target.userId)).not.toEqual(before);
    }
  });

  it('cannot grant more than their own permissions to any user, new or existing', async () => {
    const staff = await makeStaff('ManageUsers');
    const [target, above] = [await makeUser(), await makeRole(['AdminDashboard', 'ManageWallets'])];
    for (const role of ['Admin', 'admin', above]) {
      const { codes } = await settle<unknown>([
        createUser(staff, anotherUser(role)),
        assignRole(staff, target.userId, role),
        updateUser(staff, target.userId, { role }),
        assignRole(staff, staff.userId, role),
      ]);
      expect(codes).toEqual(['forbidden', 'forbidden', 'forbidden', 'forbidden']);
    }
    expect(await roleOf(target)).toBe('User');
    const below = await makeRole(['AdminDashboard']);
    expect(await assignRole(staff, target.userId, below.toUpperCase())).toMatchObject({ role: below });
  });
});

describe('staff with ManageRoles', () => {
  it('cannot grant a permission that they lack by role, user or feature', async () => {
    const staff = await makeStaff('ManageRoles', 'ManageSites');
    const [own, above] = [await makeRole([]), await makeRole(['AdminDashboard', 'ManageWallets'])];
    const target = await makeUser();
    for (const permission of permissions) {
      const held = staff.permissions.includes(permission);
      const { codes } = await settle<unknown>([grantPermission(staff, own, permission)]);
      expect(codes, permission).toEqual(held ? [] : ['forbidden']);
    }
    for (const feature of features) {
      const given = createFeatureRole(staff, { name: feature, userId: target.userId, features: [feature] });
      expect((await settle([given])).codes, feature).toEqual(feature === 'User Settings Access' ? ['forbidden'] : []);
    }
    const { codes } = await settle<unknown>([
      grantPermission(staff, above, 'ManageSites'),
      revokePermission(staff, above, 'ManageWallets'),
      deleteRole(staff, above),
      assignRole(staff, target.userId, above, 'ManageRoles'),
      assignRole(staff, target.userId, 'Admin', 'ManageRoles'),
      revokePermission(staff, 'Admin', 'ManageSites'),
    ]);
    expect(codes).toEqual(['forbidden', 'forbidden', 'forbidden', 'forbidden', 'forbidden', 'conflict']);
    expect(await rightsOf(target)).toEqual(['AdminDashboard', 'ManageRoles', 'ManageSites']);
  });

  it('cannot remove or move the features of a user with more permissions', async () => {
    const [admin, staff] = [await makeUser('Admin'), await makeStaff('ManageRoles')];
    const [higher, lower] = [await makeStaff('ManageWallets'), await makeUser()];
    const record = await createFeatureRole(admin, { name: 'Editor', userId: higher.userId, features: [features[2]] });
    const moved = { name: 'Editor', userId: lower.userId, features: [features[1]] };
    const { codes } = await settle<unknown>([
      deleteFeatureRole(staff, record.id),
      updateFeatureRole(staff, record.id, moved),
    ]);
    expect(codes).toEqual(['forbidden', 'forbidden']);
    await deleteFeatureRole(admin, record.id);
    expect(await rightsOf(higher)).toEqual(['AdminDashboard', 'ManageWallets']);
  });
});

describe('built-in roles', () => {
  it('cannot be deleted, and Admin keeps every permission', async () => {
    const admin = await makeUser('Admin');
    const { codes } = await settle<unknown>([
      ...['Admin', 'user', 'SELLER'].map((name) => deleteRole(admin, name)),
      ...permissions.map((permission) => revokePermission(admin, 'admin', permission)),
    ]);
    expect(codes).toEqual(Array(3 + permissions.length).fill('conflict'));
    await grantPermission(admin, 'Admin', 'ManageOrders');
    expect(getRolePermissions(await requireRole('Admin'))).toEqual(permissions);
  });

  it('for everyone can get permissions of staff, which never settle: anyone can register a second account', async () => {
    const [admin, user] = [await makeUser('Admin'), await makeUser()];
    const granted = ['AdminDashboard', 'ManageWallets'] as const;
    for (const permission of granted) await grantPermission(admin, 'User', permission);
    await db().update(rolePermissions).set({ grantedAt: null }).where(eq(rolePermissions.roleName, 'User'));
    expect([await rightsOf(user), (await getSettledRights(user.userId)).permissions]).toEqual([granted, []]);
    for (const permission of granted) await revokePermission(admin, 'User', permission);
    expect(await rightsOf(user)).toEqual([]);
  });

  it('have names that are unique in any case', async () => {
    const admin = await makeUser('Admin');
    const name = `Editor ${newId()}`;
    const spellings = ['ADMIN', 'user', name, name.toUpperCase(), name.toLowerCase(), `  ${name}`.trim()];
    const { values, codes } = await settle(spellings.map((spelling) => createRole(admin, spelling)));
    expect([values.length, codes]).toEqual([1, Array(5).fill('conflict')]);
    const names = (await listRoles()).map((role) => role.name.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('the last admin', () => {
  it('remains when two admins demote, suspend or delete each other concurrently', async () => {
    const attacks: ((actor: Actor, victim: Actor) => Promise<unknown>)[] = [
      (actor, victim) => assignRole(actor, victim.userId, 'User'),
      (actor, victim) => updateUser(actor, victim.userId, { status: 'Suspended' }),
      (actor, victim) => deleteUser(actor, victim.userId),
    ];
    for (const [index, attack] of attacks.entries()) {
      const [first, second] = [await makeUser('Admin'), await makeUser('Admin')];
      const answer = attacks[(index + 1) % attacks.length] ?? attack;
      const { values, codes } = await settle<unknown>([attack(first, second), answer(second, first)]);
      expect([values.length, codes.length]).toEqual([1, 1]);
      expect(['forbidden', 'unauthenticated']).toContain(codes[0]);
    }
  });

  it('remains of twelve admins who all act against each other', async () => {
    await db().update(users).set({ role: 'User' }).where(sql`lower(${users.role}) = 'admin'`);
    const admins = await Promise.all(Array.from({ length: 12 }, () => makeUser('Admin')));
    const attempts = admins.flatMap((actor) =>
      admins.filter((other) => other !== actor).map((victim) => assignRole(actor, victim.userId, 'User')),
    );
    await settle(attempts);
    expect(await activeAdmins()).toHaveLength(1);
  });

  it('cannot change or delete themselves out of the role', async () => {
    const admin = await makeUser('Admin');
    const { codes } = await settle<unknown>([
      assignRole(admin, admin.userId, 'User'),
      updateUser(admin, admin.userId, { status: 'Expired' }),
      updateUser(admin, admin.userId, { password: 'without the current one' }),
      updateUser(admin, admin.userId, { email: `${newId()}@example.com` }),
      deleteUser(admin, admin.userId),
    ]);
    expect(codes).toEqual(Array(5).fill('forbidden'));
    expect(await updateUser(admin, admin.userId, { name: 'Still here' })).toMatchObject({ name: 'Still here' });
  });
});

it('no sequence of actions grants more than the granted permissions or removes the last admin', async () => {
  const permission = fc.constantFrom(...permissions);
  const step = fc.record({
    who: fc.nat(5),
    whom: fc.nat(5),
    what: fc.constantFrom('role', 'status', 'delete', 'grant', 'revoke', 'features'),
    role: fc.nat(4),
    permission,
    feature: fc.constantFrom(...features),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.subarray([...permissions]), { minLength: 2, maxLength: 2 }),
      fc.array(step, { minLength: 4, maxLength: 14 }),
      async (granted, steps) => {
        const world = await makeUsers(granted);
        for (const each of steps) {
          const actor = world.people[each.who];
          const before = new Map(
            await Promise.all(world.people.map(async (one) => [one, await standing(one)] as const)),
          );
          const mine = actor && before.get(actor);
          await settle([world.act(each)]);
          for (const person of world.people) {
            const [was, is] = [before.get(person), await standing(person)];
            const gained = is.rights.filter((right) => !was?.rights.includes(right));
            // The actor held every permission that a user gained, and only admins create admins.
            if (mine && !mine.isAdmin) expect(mine.rights).toEqual(expect.arrayContaining(gained));
            if (mine && !mine.isAdmin) expect(is.isAdmin && !was?.isAdmin).toBe(false);
            if (was?.isAdmin && mine && !mine.isAdmin) expect(is).toEqual(was);
          }
          expect((await Promise.all(world.people.map(standing))).some(({ isAdmin, active }) => isAdmin && active)).toBe(
            true,
          );
        }
      },
    ),
    { numRuns: propertyRuns(25) },
  );
}, 120_000);

async function standing({ userId }: Actor) {
  const person = await findPerson(userId);
  const isAdmin = isAdminRole(person?.role ?? '');
  const rights: readonly string[] = isAdmin ? permissions : (person?.permissions ?? []);
  return { isAdmin, active: person?.status === 'Active', rights };
}

/** Two admins, two staff users with their permissions and access to everything else, two customers. */
async function makeUsers(granted: Permission[][]) {
  const keys: Permission[] = ['AdminDashboard', 'ManageUsers', 'ManageRoles'];
  const staffRoles = await Promise.all(granted.map((some) => makeRole([...new Set([...keys, ...some])])));
  const people = [await makeUser('Admin'), await makeUser('Admin'), await makeUser(), await makeUser('Seller')];
  for (const role of staffRoles) people.push({ ...(await makeUser('User', { role })), permissions: keys });
  const names = ['Admin', 'User', ...staffRoles, await makeRole(['AdminDashboard'])];
  const act = async (step: {
    who: number;
    whom: number;
    what: string;
    role: number;
    permission: Permission;
    feature: (typeof features)[number];
  }) => {
    const [actor, target, role] = [people[step.who], people[step.whom], names[step.role]];
    if (!actor || !target || !role) return;
    if (step.what === 'role') await assignRole(actor, target.userId, role);
    if (step.what === 'status') await updateUser(actor, target.userId, { status: 'Suspended' });
    if (step.what === 'delete') await deleteUser(actor, target.userId);
    if (step.what === 'grant') await grantPermission(actor, role, step.permission);
    if (step.what === 'revoke') await revokePermission(actor, role, step.permission);
    if (step.what === 'features') {
      await createFeatureRole(actor, { name: newId(), userId: target.userId, features: [step.feature] });
    }
  };
  return { people, act };
}
