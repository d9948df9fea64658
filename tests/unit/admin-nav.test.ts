import { describe, expect, it } from 'vitest';
import { type AdminGroup, adminLinks, visibleGroups } from '@/components/shell/admin-nav';
import { findCurrent, isActive, type NavItem } from '@/components/shell/nav';
import { permissions } from '@/lib/access/permissions';
import snapshot from '@/tests/api/access.snapshot.json';

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
  it('shows nothing to users without an admin permission', () => {
    expect(labels(['ManageOrders'], 'User')).toEqual([]);
  });

  it('ignores the case of the role name, and admits staff with AdminDashboard', () => {
    expect(labels(['AdminDashboard'], 'ADMIN')).toEqual([['Dashboard'], ['SEO']]);
    expect(labels(['AdminDashboard'], 'Support')).toEqual([['Dashboard'], ['SEO']]);
  });

  it("checks a link's own permission, otherwise its group's", () => {
    expect(labels(['AdminDashboard', 'ManageUsers'])).toEqual([['Dashboard'], ['Users'], ['SEO']]);
    expect(labels(['AdminDashboard', 'ManageUsers', 'ViewAuditLogs', 'ManageOrders'])).toEqual([
      ['Dashboard'],
      ['Users', 'Audit Logs'],
      ['SEO', 'Orders'],
    ]);
  });

  it('applies the two build-time switches', () => {
    const all = ['AdminDashboard', 'ManageOrders'];
    expect(labels(all, 'Admin', { ...off, hideToolLinks: true })).toEqual([['Dashboard'], ['Orders']]);
    expect(labels(all, 'Admin', { ...off, hideSystemGroup: true })).toEqual([['Dashboard']]);
  });
});

describe('the menu entry of a page', () => {
  /** Staff without ViewAuditLogs who open the audit log see there why it is closed. */
  const withOtherRights = ['/dashboard/features/audit-logs'];
  const guards: Record<string, { access: string; portal?: string }> = snapshot.pages;
  const pages = Object.entries(guards).filter(
    ([path, { portal }]) =>
      portal === 'admin' && path.startsWith('/dashboard/features/') && !withOtherRights.includes(path),
  );

  it.each(pages)('is shown to exactly the staff whom the page admits: %s', (path, { access }) => {
    const entry = findCurrent(path, adminLinks)?.href;
    for (const permission of permissions) {
      const staff = { role: 'Staff', permissions: ['AdminDashboard', permission] };
      const shown = visibleGroups(staff).flatMap(({ links }) => links.map(({ href }) => href));
      const isAdmitted = staff.permissions.some((held) => held === access);
      expect([permission, shown.some((href) => href === entry)]).toEqual([permission, isAdmitted]);
    }
  });
});

describe('the current link', () => {
  it('matches the path itself and paths below it', () => {
    expect(isActive('/dashboard/features/orders/7', '/dashboard/features/orders')).toBe(true);
    expect(isActive('/dashboard/features/orders-old', '/dashboard/features/orders')).toBe(false);
  });

  it('prefers the longest match', () => {
    const links = [{ href: '/dashboard' }, { href: '/dashboard/features/orders' }];
    expect(findCurrent('/dashboard/features/orders', links)).toBe(links[1]);
    expect(findCurrent('/elsewhere', links)).toBeUndefined();
  });
});
