import { expect, it } from 'vitest';
import { type PaletteOption, paletteSections, parsePaletteText } from '@/components/shell/palette-options';
import type { PaletteHit } from '@/lib/search/palette';

const user = {
  name: 'Ada',
  email: 'ada@example.com',
  role: 'Admin',
  permissions: ['AdminDashboard', 'ManageWallets', 'ManageOrders'],
};
const context = { user, closed: [], isDark: false };
const labelsOf = (sections: { options: PaletteOption[] }[]) =>
  sections.flatMap(({ options }) => options.map(({ label }) => label));

const nora: PaletteHit = {
  kind: 'user',
  id: '1',
  label: 'Nora Stone',
  detail: 'nora@example.com',
  href: '/users/1',
  act: { verb: 'top up', label: 'Top up Nora Stone', href: '/topup/1' },
};
const order: PaletteHit = {
  kind: 'order',
  id: '87',
  label: '#87 site.example.com',
  detail: 'Live',
  href: '/orders/87',
  act: { verb: 'refund', label: 'Refund #87', href: '/refund/87' },
};

it('finds a screen by the first letters of its words, with a letter left out, and by its other name', () => {
  for (const text of ['wallet man', 'wlt manager', 'walletmanager']) {
    expect(labelsOf(paletteSections({ ...context, portal: 'admin' }, text, []))[0], text).toBe('Wallet Manager');
  }
  for (const [alias, label] of [
    ['dashboard', 'Home'],
    ['link checks', 'Links'],
  ] as const)
    expect(labelsOf(paletteSections({ ...context, portal: 'admin' }, alias, []))[0], alias).toBe(label);
});

it('offers every portal its screens, the theme and the logout, without turned-off features', () => {
  for (const portal of ['admin', 'user', 'seller'] as const) {
    expect(labelsOf(paletteSections({ ...context, portal }, 'dark', []))).toContain('Use the dark theme');
    expect(labelsOf(paletteSections({ ...context, portal }, 'logout', []))).toEqual(['Logout']);
  }
  const closed = ['/user/marketplace'];
  expect(labelsOf(paletteSections({ ...context, portal: 'user' }, '', []))).toContain('Marketplace');
  expect(labelsOf(paletteSections({ ...context, portal: 'user', closed }, '', []))).not.toContain('Marketplace');
  const withForm = (hrefs: string[]) =>
    labelsOf(paletteSections({ ...context, portal: 'user', closed: hrefs }, '', []));
  expect(withForm([])).toContain('New project');
  expect(withForm(['/user/projects?new=1'])).not.toContain('New project');
});

it('reads the verb at the beginning of a text and offers only what can be done with it', () => {
  expect(parsePaletteText(' Top up  nora ')).toEqual({ verb: 'top up', q: 'nora' });
  expect(parsePaletteText('refund #87')).toEqual({ verb: 'refund', q: '#87' });
  expect(parsePaletteText('refunds')).toEqual({ verb: null, q: 'refunds' });
  const sections = (text: string) => paletteSections({ ...context, portal: 'admin' }, text, [nora, order]);
  expect(labelsOf(sections('topup nora'))).toEqual(['Top up Nora Stone']);
  expect(labelsOf(sections('refund 87'))).toEqual(['Refund #87']);
});

it('offers the action of a record when it is the only one of its kind', () => {
  const sections = (hits: PaletteHit[]) => labelsOf(paletteSections({ ...context, portal: 'admin' }, 'nora', hits));
  expect(sections([nora])).toEqual(['Nora Stone', 'Top up Nora Stone']);
  expect(sections([nora, { ...nora, id: '2' }])).toEqual(['Nora Stone', 'Nora Stone']);
});
