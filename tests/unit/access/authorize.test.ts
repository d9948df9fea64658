import { describe, expect, it } from 'vitest';
import { personalAccount } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { systemActor } from '@/lib/access/actor';
import {
  type Access,
  getEffectivePermissions,
  hasPermission,
  mayAccess,
  requireAccess,
  requireCovered,
} from '@/lib/access/authorize';
import { covers, getRolePermissions, isPermission, type Permission, permissions } from '@/lib/access/permissions';

const rights = (role: string, ...held: Permission[]) => ({ role, permissions: held });
const withToken = (role: string, ...held: Permission[]) => ({ ...rights(role, ...held), token: {} });
const actor = (role: string, ...held: Permission[]): Actor => ({
  ...rights(role, ...held),
  ...personalAccount('u'),
  memberOf: [],
  userId: 'u',
  sessionId: 's',
  email: 'a@example.com',
  name: 'A',
  status: 'Active',
  hasRecentAuthentication: false,
  twoStepDueAt: null,
  source: 'web',
  ip: '',
  requestId: '',
});

describe('a permission', () => {
  it.each([
    ['an admin without rows', rights('Admin'), true],
    ['an admin in any case', rights('aDMIN'), true],
    ['the token of an admin that does not name it', withToken('Admin', 'AdminDashboard'), false],
    ['the token of an admin that names it', withToken('Admin', 'AdminDashboard', 'ManageOrders'), true],
    ['staff with it', rights('Editor', 'AdminDashboard', 'ManageOrders'), true],
    ['staff with it but without AdminDashboard', rights('Editor', 'ManageOrders'), false],
    ['staff with AdminDashboard and another one', rights('Editor', 'AdminDashboard', 'ManageSites'), false],
    ['a seller', rights('Seller'), false],
  ])('of %s: %s %s', (_, holder, isHeld) => {
    expect(hasPermission(holder, 'ManageOrders')).toBe(isHeld);
    expect(mayAccess(holder, 'ManageOrders')).toBe(isHeld);
  });

  it.each(permissions)('%s counts only with AdminDashboard', (permission) => {
    expect(hasPermission(rights('Editor', permission), permission)).toBe(permission === 'AdminDashboard');
    expect(hasPermission(rights('Editor', permission, 'AdminDashboard'), permission)).toBe(true);
  });
});

describe('access', () => {
  const sellersAndOrders: Access = ['ManageSites', 'ManageOrders'];

  it.each<[string, Access, boolean]>([
    ['User', 'public', true],
    ['User', 'session', true],
    ['User', 'seller', false],
    ['sELLER', 'seller', true],
    ['Admin', 'seller', false],
    ['Seller', 'ManageOrders', false],
    ['Admin', sellersAndOrders, true],
    ['User', sellersAndOrders, false],
  ])('of the role %s to %s: %s', (role, access, isAllowed) => {
    expect(mayAccess(rights(role), access)).toBe(isAllowed);
  });

  it('to a list of permissions requires one of them', () => {
    expect(mayAccess(rights('Editor', 'AdminDashboard', 'ManageOrders'), sellersAndOrders)).toBe(true);
    expect(mayAccess(rights('Editor', 'AdminDashboard', 'ManageUsers'), sellersAndOrders)).toBe(false);
  });

  it('is refused as unauthenticated without an actor, and as forbidden without the right', () => {
    expect(() => requireAccess(null, 'session')).toThrow(expect.objectContaining({ code: 'unauthenticated' }));
    expect(() => requireAccess(actor('User'), 'seller')).toThrow(expect.objectContaining({ code: 'forbidden' }));
    const seller = actor('Seller');
    expect(requireAccess(seller, 'seller')).toBe(seller);
  });

  it('as a seller or as staff is in the personal account, whichever is chosen for buying', () => {
    const inTeam = { accountId: 't', accountName: 'Team', accountRole: 'client' as const, projectIds: ['p'] };
    for (const [role, access] of [['Seller', 'seller'] as const, ['Admin', 'ManageWallets'] as const]) {
      const member = { ...actor(role), ...inTeam };
      expect(requireAccess(member, access)).toEqual(actor(role));
      for (const right of ['session', 'account:requests'] as const) expect(requireAccess(member, right)).toBe(member);
    }
  });
});

describe('rights', () => {
  it('of an admin are all permissions, but not those of an admin’s token', () => {
    expect(getEffectivePermissions(rights('Admin'))).toEqual(permissions);
    expect(getEffectivePermissions(withToken('Admin', 'ManageSites'))).toEqual(['ManageSites']);
    expect(getEffectivePermissions(rights('Editor', 'ManageSites'))).toEqual(['ManageSites']);
  });

  it.each([
    ['an admin', 'an admin', rights('Admin'), rights('Admin'), true],
    ['an admin', 'staff', rights('Admin'), rights('Editor', 'ManageSites'), true],
    ['an admin’s token', 'an admin', withToken('Admin', ...permissions), rights('Admin'), false],
    ['staff with everything', 'an admin', rights('Editor', ...permissions), rights('ADMIN'), false],
    ['staff', 'staff with more', rights('E', 'ManageSites'), rights('F', 'ManageSites', 'ManageOrders'), false],
    ['staff', 'staff with the same', rights('E', 'ManageSites'), rights('F', 'ManageSites'), true],
    ['a user', 'a user', rights('User'), rights('User'), true],
  ])('of %s and %s: %# ', (_, __, holder, other, isCovered) => {
    expect(covers(holder, other)).toBe(isCovered);
    const required = expect(() => requireCovered(holder, other));
    if (isCovered) required.not.toThrow();
    else required.toThrow(expect.objectContaining({ code: 'forbidden' }));
  });

  it('that are missing are named, and the others are not', () => {
    const holder = rights('Editor', 'AdminDashboard', 'ManageSites');
    const wanted = rights('Other', 'ManageSites', 'ManageOrders', 'ManageUsers');
    expect(() => requireCovered(holder, wanted)).toThrow('not have: ManageOrders, ManageUsers. Ask');
    expect(() => requireCovered(holder, rights('Admin'))).toThrow('Only an admin can change or create an admin.');
  });
});

describe('stored permissions', () => {
  it('that the catalogue does not contain are ignored', () => {
    expect(permissions.filter(isPermission)).toEqual(permissions);
    expect(isPermission('ManageEverything')).toBe(false);
    const role = { name: 'Editor', permissions: ['ManageOrders', 'ManageEverything', 'AdminDashboard'] };
    expect(getRolePermissions(role)).toEqual(['AdminDashboard', 'ManageOrders']);
    expect(getRolePermissions({ name: 'admin', permissions: [] })).toEqual(permissions);
  });

  it('have distinct names', () => {
    expect(new Set(permissions).size).toBe(permissions.length);
  });
});

it('a system actor has the address and the request of its context', () => {
  const context = { ip: '192.0.2.1', requestId: 'r1' };
  expect(systemActor('Stripe', 'webhook', context)).toMatchObject({ userId: null, role: 'System', ...context });
  expect(systemActor('Clock', 'job')).toMatchObject({ name: 'Clock', source: 'job', ip: '', requestId: '' });
});
