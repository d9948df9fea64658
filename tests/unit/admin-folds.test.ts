import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { foldScript, foldStyles } from '@/components/shell/admin-folds';
import { adminGroups, adminScreens, visibleGroups } from '@/components/shell/admin-nav';
import { screenTexts } from '@/components/shell/screen-texts';
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
    const folds = run({ admin_group_core: '0', 'admin_group_content-catalog': '1' })?.split(' ');
    expect(folds).toHaveLength(adminGroups.length);
    expect(folds).toEqual(expect.arrayContaining(['core:0', 'content-catalog:1', 'users-access:null']));
    expect(run({})).not.toMatch(/:[01]/);
  });

  it('are the defaults in other portals, and where storage is disabled', () => {
    expect(run({ admin_group_core: '0' }, '/user')).toBeUndefined();
    expect(run(null)).toBeUndefined();
  });

  it('have styles for every group', () => {
    for (const { id } of adminGroups)
      expect(foldStyles).toContain(`[data-folds~="${id}:0"] [data-fold="${id}"] .fold-links`);
  });
});

describe('the admin menu', () => {
  const groups = visibleGroups({ role: 'Admin', permissions: [...permissions] });
  const links = groups.flatMap((group) => group.links.map(({ label }) => label));

  it('has daily work first, and the groups and links of the specification', () => {
    expect(groups[0]).toMatchObject({ id: 'core', isDaily: true });
    expect(links.slice(0, 5)).toEqual(['Home', 'Orders', 'Disputes', 'Payouts', 'Links']);
    const expected = {
      core: ['Core', 'Home', 'Orders'],
      'users-access': ['Users & Access', 'Users', 'Access Control', 'Roles', 'Audit Logs'],
      'content-catalog': ['Content & Catalog', 'Guest Posts', 'Niches & Types', 'Packages'],
      'system-integrations': [
        ...['System & Integrations', 'API Manager', 'Notifications', 'Branding', 'Licenses', 'Backup and Restore'],
        ...['Feature Flags', 'App Integrations', 'Payments', 'Wallet Manager'],
      ],
    };
    expect(groups.map(({ id }) => id)).toEqual(Object.keys(expected));
    for (const [index, texts] of Object.values(expected).entries()) {
      const { title, links } = groups[index] ?? { links: [] };
      expect([title, ...links.map(({ label }) => label)]).toEqual(expect.arrayContaining(texts));
    }
    expect(new Set(links).size).toBe(links.length);
  });

  it('names screens as their headings do', () => {
    for (const { href, label, description } of adminScreens)
      if (description) expect(screenTexts(href).title).toBe(label);
  });
});
