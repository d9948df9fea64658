import { afterEach, describe, expect, it, vi } from 'vitest';
import { permissions } from '@/lib/access/permissions';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** The labels of an admin's sidebar in a build with these variables. */
async function sidebarOf(variables: Record<string, string>): Promise<{ groups: string[]; labels: string[] }> {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  vi.resetModules();
  const { visibleGroups } = await import('@/components/shell/admin-nav');
  const groups = visibleGroups({ role: 'Admin', permissions: [...permissions] });
  return {
    groups: groups.map(({ id }) => id),
    labels: groups.flatMap(({ links }) => links.map(({ label }) => label)),
  };
}

describe('the two build-time switches', () => {
  it.each<Record<string, string>>([{}, { NEXT_PUBLIC_HIDE_TOOL_LINKS: '0', NEXT_PUBLIC_HIDE_SYSTEM_GROUP: 'false' }])(
    'are off by default: %j',
    async (variables) => {
      const { groups, labels } = await sidebarOf(variables);
      expect(groups).toContain('system-integrations');
      expect(labels).toContain('SERP preview tool');
    },
  );

  it.each(['1', 'true'])('hide only the links of the tools when set to %s', async (value) => {
    const shown = await sidebarOf({});
    const hidden = await sidebarOf({ NEXT_PUBLIC_HIDE_TOOL_LINKS: value });
    expect(shown.labels.filter((label) => !hidden.labels.includes(label))).toEqual(['SERP preview tool']);
  });

  it.each(['1', 'true'])('hide what the specification lists in System & Integrations when set to %s', async (value) => {
    const { groups, labels } = await sidebarOf({ NEXT_PUBLIC_HIDE_SYSTEM_GROUP: value });
    expect(groups).not.toContain('system-integrations');
    expect(groups).toContain('core');
    for (const label of ['Licenses', 'Payments', 'Wallet Manager', 'Orders']) expect(labels).not.toContain(label);
    expect(labels).toContain('Payouts');
  });
});
