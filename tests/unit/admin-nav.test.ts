import { describe, expect, it } from 'vitest';
import { type AdminGroup, visibleGroups } from '@/components/shell/admin-nav';
import { currentHref, isActive, type NavItem } from '@/components/shell/nav';

const icon: NavItem['icon'] =
  visibleGroups({ role: 'admin', permissions: ['AdminDashboard'] })[0]?.links[0]?.icon ??
  (() => {
    throw new Error('The first group has no link');
  })();
const link = (href: string, label: string, permission?: string) => ({ href, label, icon, permission });

const groups: AdminGroup[] = [
  { id: 'core', title: 'Core', links: [link('/dashboard', 'Dashboard')] },
  {
    id: 'users-access',
    title: 'Users & Access',
    permission: 'ManageUsers',
    links: [
      link('/dashboard/features/users', 'Users'),
      link('/dashboard/features/audit-logs', 'Audit Logs', 'ViewAuditLogs'),
    ],
  },
  {
    id: 'system-integrations',
    title: 'System & Integrations',
    links: [link('/dashboard/features/seo-tools', 'SEO'), link('/dashboard/features/orders', 'Orders', 'ManageOrders')],
  },
];
const off = { hideToolLinks: false, hideSystemGroup: false };
const labels = (permissions: string[], role = 'Admin', switches = off) =>
  visibleGroups({ role, permissions }, switches, groups).map((group) => group.links.map((item) => item.label));

describe('visibleGroups', () => {
  it('shows nobody but admins anything', () => {
    expect(labels(['ManageOrders'], 'User')).toEqual([]);
  });

  it('takes the role in any spelling, and staff by AdminDashboard', () => {
    expect(labels(['AdminDashboard'], 'ADMIN')).toEqual([['Dashboard'], ['SEO']]);
    expect(labels(['AdminDashboard'], 'Support')).toEqual([['Dashboard'], ['SEO']]);
  });

  it("gives a link its own permission, else its group's", () => {
    expect(labels(['AdminDashboard', 'ManageUsers'])).toEqual([['Dashboard'], ['Users'], ['SEO']]);
    expect(labels(['AdminDashboard', 'ManageUsers', 'ViewAuditLogs', 'ManageOrders'])).toEqual([
      ['Dashboard'],
      ['Users', 'Audit Logs'],
      ['SEO', 'Orders'],
    ]);
  });

  it('obeys the two build-time switches', () => {
    const all = ['AdminDashboard', 'ManageOrders'];
    expect(labels(all, 'Admin', { ...off, hideToolLinks: true })).toEqual([['Dashboard'], ['Orders']]);
    expect(labels(all, 'Admin', { ...off, hideSystemGroup: true })).toEqual([['Dashboard']]);
  });
});

describe('the current link', () => {
  it('is equal to the path or followed by a slash', () => {
    expect(isActive('/dashboard/features/orders/7', '/dashboard/features/orders')).toBe(true);
    expect(isActive('/dashboard/features/orders-old', '/dashboard/features/orders')).toBe(false);
  });

  it('is the longest of several', () => {
    expect(currentHref('/dashboard/features/orders', ['/dashboard', '/dashboard/features/orders'])).toBe(
      '/dashboard/features/orders',
    );
    expect(currentHref('/elsewhere', ['/dashboard'])).toBeUndefined();
  });
});
