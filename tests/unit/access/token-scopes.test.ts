import { describe, expect, it } from 'vitest';
import { describePermission, type Permission, permissions } from '@/lib/access/permissions';
import { describeScope, limitToScopes, listGrantableScopes, moneyScopes, tokenScopes } from '@/lib/access/token-scopes';
import { baseScopes } from '@/lib/platform/http/route-metadata';

const user = (role: string, ...held: Permission[]) => ({ role, permissions: held });
const withoutSeller = baseScopes.filter((scope) => scope !== 'seller');

describe('the permissions of a token', () => {
  it('are those of its scopes that the user holds', () => {
    const scopes = ['read', 'ManageOrders', 'ManageSites', 'Unknown'];
    expect(limitToScopes(scopes, user('Editor', 'AdminDashboard', 'ManageOrders'))).toEqual(['ManageOrders']);
    expect(limitToScopes(scopes, user('User'))).toEqual([]);
  });

  it('of an admin are those that it names', () => {
    expect(limitToScopes(['read', 'ManageOrders', 'Unknown'], user('Admin'))).toEqual(['ManageOrders']);
  });
});

describe('the scopes that a user can give', () => {
  const staffScopes = permissions.filter((permission) => permission !== 'ManageBackups');

  it.each([
    ['a buyer', user('User'), withoutSeller],
    ['a seller', user('sELLER'), [...baseScopes]],
    ['an admin', user('Admin'), [...withoutSeller, ...staffScopes]],
    ['staff', user('Editor', 'AdminDashboard', 'ManageOrders'), [...withoutSeller, 'AdminDashboard', 'ManageOrders']],
    ['staff without AdminDashboard', user('Editor', 'ManageOrders'), withoutSeller],
    ['staff with backups', user('Editor', 'AdminDashboard', 'ManageBackups'), [...withoutSeller, 'AdminDashboard']],
  ])('%s', (_, giver, scopes) => {
    expect(listGrantableScopes(giver)).toEqual(scopes);
  });

  it('are never backups', () => {
    expect(tokenScopes).toEqual([...baseScopes, ...staffScopes]);
  });

  it('are described, and those that move money are marked', () => {
    expect(describeScope('ManageOrders')).toBe(describePermission('ManageOrders'));
    expect(describeScope('read')).toMatch(/^Read your orders/);
    expect(moneyScopes).toEqual(['orders:write', 'wallet:topup', 'seller']);
  });
});
