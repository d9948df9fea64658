import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { foldScript, foldStyles } from '@/components/shell/admin-folds';
import { adminGroups, visibleGroups } from '@/components/shell/admin-nav';
import { permissions } from '@/lib/access/permissions';

/** Runs the inline script. @returns the attribute that the styles read */
function run(stored: Record<string, string> | null, pathname = '/dashboard'): string | undefined {
  const dataset: { folds?: string } = {};
  runInNewContext(foldScript, {
    location: { pathname },
    document: { documentElement: { dataset } },
    localStorage: {
      getItem: (key: string) => {
        if (!stored) throw new Error('Storage is disabled.');
        return stored[key] ?? null;
      },
    },
  });
  return dataset.folds;
}

describe('the folded groups of the admin sidebar before hydration', () => {
  it('are those that this browser stored', () => {
    const folds = run({ admin_group_core: '0', admin_group_developers: '1' })?.split(' ');
    expect(folds).toHaveLength(adminGroups.length);
    expect(folds).toEqual(expect.arrayContaining(['core:0', 'developers:1', 'users-access:null']));
    expect(run({})).not.toMatch(/:[01]/);
  });

  it('are the defaults in other portals, and where storage is disabled', () => {
    expect(run({ admin_group_core: '0' }, '/user')).toBeUndefined();
    expect(run(null)).toBeUndefined();
  });

  it('have styles for both states of every group', () => {
    for (const { id } of adminGroups)
      for (const state of [0, 1])
        expect(foldStyles).toContain(`[data-folds~="${id}:${state}"] [data-fold="${id}"] .fold-links`);
  });
});

describe('the admin menu', () => {
  const groups = visibleGroups({ role: 'Admin', permissions: [...permissions] });
  const links = groups.flatMap((group) => group.links.map(({ label }) => label));

  it('has the groups and links of the specification, with Orders second', () => {
    expect(links.slice(0, 3)).toEqual(['Dashboard', 'Orders', 'Feature Manager']);
    const expected = {
      core: ['Dashboard'],
      'users-access': ['Users', 'Roles', 'Access Control', 'Audit Logs'],
      'content-catalog': ['Niches & Types', 'Guest Posts', 'Packages'],
      'system-integrations': [
        ...['API Manager', 'Notifications', 'Branding', 'Licenses', 'Backup and Restore', 'Feature Flags'],
        ...['Integrations', 'Payments', 'Wallet Manager'],
      ],
    };
    for (const [id, labels] of Object.entries(expected)) {
      const group = groups.find((one) => one.id === id);
      expect(group?.isFolded ?? false, `${id} is expanded by default`).toBe(false);
      expect(group?.links.map(({ label }) => label)).toEqual(expect.arrayContaining(labels));
    }
    expect(new Set(links).size).toBe(links.length);
  });

  it('fits a screen 900 pixels high with the default groups, below the top bar and the banner of the sandbox', () => {
    const [row, header, gap, padding, topBar, banner] = [28, 28, 4, 16, 56, 24];
    const open = groups.filter(({ isFolded }) => !isFolded).flatMap((group) => group.links);
    const height = open.length * row + groups.length * header + (groups.length - 1) * gap + padding;
    expect(height).toBeLessThanOrEqual(900 - topBar - banner);
  });
});
