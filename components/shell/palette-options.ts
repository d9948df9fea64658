import fuzzysort from 'fuzzysort';
import type { PaletteHit } from '@/lib/search/palette';
import { visibleGroups } from './admin-nav';
import type { ShellUser } from './nav';
import { sellerAccountNav, sellerNav } from './seller-nav';
import { newProjectPath, userNav } from './user-nav';

export type PalettePortal = 'admin' | 'user' | 'seller';

/** What an option does: opens an address, or runs a command of the palette. */
type Effect = { href: string; command?: undefined } | { href?: undefined; command: 'theme' | 'logout' };
export type PaletteOption = { id: string; label: string; detail: string; alias?: string | undefined } & Effect;
export type PaletteSection = { title: string; options: PaletteOption[] };

const kinds: readonly (readonly [PaletteHit['kind'], string])[] = [
  ['user', 'Users'],
  ['order', 'Orders'],
  ['project', 'Projects'],
  ['site', 'Sites'],
];

/** Screens that are in no menu. */
const otherScreens: Record<PalettePortal, [label: string, href: string][]> = {
  admin: [
    ['Profile settings', '/dashboard/profile'],
    ['Security', '/dashboard/security'],
  ],
  user: [
    ['Dashboard', '/user'],
    ['People', '/user/people'],
    ['Webhooks', '/user/webhooks'],
    ['Security', '/user/security'],
    ['API guide', '/developers'],
  ],
  seller: [['API guide', '/developers']],
};

/** Forms that an address opens. `menu` is the screen whose feature has to be turned on. */
const forms: Record<PalettePortal, { label: string; detail: string; href: string; menu: string }[]> = {
  admin: [],
  user: [
    { label: 'New order', detail: 'Package', href: '/user/orders?new=package', menu: '/user/orders' },
    { label: 'Build Custom', detail: 'Order sites', href: '/user/orders?new=custom', menu: '/user/orders' },
    { label: 'New project', detail: 'Projects', href: newProjectPath, menu: '/user/projects' },
    { label: 'Add money', detail: 'Wallet', href: '/user/wallet', menu: '/user/wallet' },
  ],
  seller: [],
};

const verbs = /^(top\s*up|refund)\s+(.*)$/i;

/** Splits a text into the verb with which it begins and what is searched: "Top up nora" searches "nora". */
export function parsePaletteText(text: string): { verb: 'top up' | 'refund' | null; q: string } {
  const [, verb, q] = verbs.exec(text.trimStart()) ?? [];
  if (verb === undefined || q === undefined) return { verb: null, q: text.trim() };
  return { verb: /^refund$/i.test(verb) ? 'refund' : 'top up', q: q.trim() };
}

type PaletteContext = {
  portal: PalettePortal;
  user: ShellUser;
  /** The hrefs of turned-off features. */
  closed: readonly string[];
  isDark: boolean;
};

/**
 * Lists the options for a text: what may be done with the found records if the text begins with a verb, else screens,
 * actions and records. Screens and actions match fuzzily, the best first.
 */
export function paletteSections(context: PaletteContext, text: string, hits: readonly PaletteHit[]): PaletteSection[] {
  const { verb, q } = parsePaletteText(text);
  const records = kinds.map(([kind, title]) => ({
    title,
    options: hits
      .filter((hit) => hit.kind === kind)
      .map(({ id, label, detail, href }): PaletteOption => ({ id: `${kind}-${id}`, label, detail, href })),
  }));
  const acts = hits.flatMap(({ kind, id, detail, act }): (PaletteOption & { verb: string })[] => {
    const isOnly = hits.filter((hit) => hit.kind === kind).length === 1;
    if (!act || (verb === null ? !isOnly : act.verb !== verb)) return [];
    return [{ id: `act-${kind}-${id}`, label: act.label, detail, href: act.href, verb: act.verb }];
  });
  const sections = verb
    ? [{ title: 'Actions', options: acts }]
    : [
        { title: 'Screens', options: match(q, listScreens(context)) },
        ...records,
        { title: 'Actions', options: [...acts, ...match(q, listActions(context))] },
      ];
  return sections.filter(({ options }) => options.length > 0);
}

function listScreens({ portal, user, closed }: PaletteContext): PaletteOption[] {
  const groups = {
    admin: () => visibleGroups(user),
    user: () => [{ title: 'Menu', links: userNav }],
    seller: () => [{ title: 'Menu', links: [...sellerNav, ...sellerAccountNav] }],
  }[portal]();
  return [
    ...groups.flatMap(({ title, links }) =>
      links.map(({ href, label, alias, section }) => ({
        ...{ label, alias, href },
        detail: section ? `${title} · ${section}` : title,
      })),
    ),
    ...otherScreens[portal].map(([label, href]) => ({ label, detail: 'Account', href })),
  ]
    .filter(({ href }) => !closed.includes(href))
    .map((screen) => ({ ...screen, id: screen.href.replaceAll('/', '-') }));
}

function listActions({ portal, closed, isDark }: PaletteContext): PaletteOption[] {
  return [
    ...forms[portal]
      .filter(({ href, menu }) => !closed.includes(menu) && !closed.includes(href))
      .map(({ label, detail, href }) => ({ id: `form-${label.replaceAll(' ', '-')}`, label, detail, href })),
    {
      id: 'theme',
      label: isDark ? 'Use the light theme' : 'Use the dark theme',
      detail: 'Appearance',
      command: 'theme',
    },
    { id: 'logout', label: 'Logout', detail: 'Account', command: 'logout' },
  ];
}

/** Accepts a left-out letter ("dashbord"), which scores 0.35. */
const threshold = 0.3;

/** Lists the options whose label or detail matches, the best first; all in their order for an empty text. */
function match(q: string, options: PaletteOption[]): PaletteOption[] {
  if (q === '') return options;
  return fuzzysort
    .go(q, options, {
      keys: ['label', ({ label, detail, alias = '' }) => `${label} ${detail} ${alias}`],
      limit: 0,
      threshold,
    })
    .map(({ obj }) => obj);
}
