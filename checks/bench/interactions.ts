import { chromium, type Page } from '@playwright/test';
import { z } from 'zod';
import type { Lifetime } from '@/scripts/process/lifetime';
import { median } from '@/tests/bench/median';
import { seedCatalogue } from '@/tests/bench/seed-catalogue';
import { browserLaunchOptions } from '@/tests/setup/browser';
import { atMost } from './bars';
import { startBenchServer } from './database';
import { barCells, table, writeReport } from './report';
import { type BenchTarget, buildTargets, createSession, startLinkMarket } from './targets';

const siteCount = 100_000;
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
/** The limit of a good Interaction to Next Paint (https://web.dev/articles/inp). */
const limitMs = 200;
/** How much slower than this machine's the browser's main thread is, as on a mid-range phone. */
const slowDown = 4;
/** The largest cart. */
const cartSites = 100;
/** Time for the frames and the requests that follow an interaction. */
const settleMs = 700;

const phone = { viewport: { width: 412, height: 823 }, hasTouch: true, isMobile: true };
const desktop = { viewport: { width: 1350, height: 940 } };

type Step = { name: string; act: (page: Page) => Promise<unknown> };
type Screen = { name: string; device: typeof phone | typeof desktop; path: string; steps: readonly Step[] };

const press = (name: string, keys: readonly string[]): Step => ({
  name,
  act: async (page) => {
    for (const key of keys) {
      await page.keyboard.press(key);
      await page.waitForTimeout(150);
    }
  },
});
const click = (name: string, selector: string): Step => ({
  name,
  act: (page) => page.locator(selector).filter({ visible: true }).first().click(),
});
const type = (name: string, selector: string, text: string): Step => ({
  name,
  act: (page) => page.locator(selector).filter({ visible: true }).first().pressSequentially(text, { delay: 120 }),
});

const search = [
  click('focus the search', '[aria-label="Search sites"]'),
  type('type a search', '[aria-label="Search sites"]', 'garden'),
];
const ranges: readonly Step[] = [
  { name: 'focus a slider', act: (page) => page.locator('[aria-label="DR, minimum"]').first().focus() },
  press('move a slider', ['ArrowRight', 'ArrowRight', 'ArrowLeft']),
  type('type a number', '[aria-label="Traffic from"]', '1500'),
  click('check a box', 'label:has-text("Verified owners only")'),
];
const menu = [
  click('open a menu', 'button[aria-label^="Country:"]'),
  click('choose in a menu', '[role=menuitemcheckbox]'),
  press('close a menu', ['Escape']),
];
const drawer = [
  click('open the drawer', 'tbody a[id]'),
  press('next site by key', ['ArrowDown', 'ArrowDown']),
  click('next site by button', 'button:has-text("Next site"), button[aria-label="Next site"]'),
  click('add to the cart', '[role=dialog] button:has-text("Add to cart")'),
  press('close the drawer', ['Escape']),
];
const marketplace = '/user/marketplace';
const cartPage = '/user/cart';

const screens: readonly Screen[] = [
  {
    name: 'filters, phone',
    device: phone,
    path: marketplace,
    steps: [
      ...search,
      click('open the sheet', 'button:has-text("Filters"):not(:has-text("Saved"))'),
      ...menu,
      ...ranges,
      click('close the sheet', '[role=dialog] button:has-text("Show")'),
      click('select a site', 'tbody input[type=checkbox]'),
    ],
  },
  {
    name: 'filters, desktop',
    device: desktop,
    path: marketplace,
    steps: [
      ...search,
      click('open the panel', 'button:has-text("More filters")'),
      ...ranges,
      ...menu,
      click('sort', 'th a:has-text("DR")'),
      click('select a site', 'tbody input[type=checkbox]'),
      click('select all sites', 'thead input[type=checkbox]'),
    ],
  },
  { name: 'drawer, phone', device: phone, path: marketplace, steps: drawer },
  { name: 'drawer, desktop', device: desktop, path: marketplace, steps: drawer },
  {
    name: `brief grid, ${cartSites} sites`,
    device: desktop,
    path: cartPage,
    steps: [
      click('focus a cell', '[data-cell="1-2"]'),
      press('move', ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowLeft']),
      press('begin an edit', ['a']),
      press('type', ['b', 'c', 'd']),
      press('commit', ['Enter']),
      press('extend the selection', ['Shift+ArrowUp', 'Shift+ArrowUp', 'Shift+ArrowDown']),
      press('fill down', ['Control+d']),
      press('undo', ['Control+z']),
      press('select all', ['Control+a']),
      press('fill all', ['Control+d']),
      press('tab', ['Enter', 'x', 'Tab', 'y', 'Tab']),
      { name: 'edit by double click', act: (page) => page.locator('[data-cell="5-2"]').dblclick() },
      press('leave the edit', ['Escape']),
    ],
  },
];

/**
 * Measures the Interaction to Next Paint (INP) of the marketplace's filters, its drawer and the grid of briefs in a
 * browser whose main thread is four times slower: in each round the slowest interaction of a visit.
 */
export async function interactions(lifetime: Lifetime): Promise<void> {
  const server = await startBenchServer(lifetime);
  await seedCatalogue(server.adminUrl, siteCount);
  await buildTargets(lifetime);
  const app = await startLinkMarket(lifetime, server, 32);
  const browser = await lifetime.own(chromium.launch(browserLaunchOptions()), (running) => running.close());
  const visits = new Map<string, Visit[]>(screens.map(({ name }) => [name, []]));
  // The first round warms up the app.
  for (let round = 0; round <= rounds; round++) {
    for (const screen of screens) {
      const context = await browser.newContext(screen.device);
      // Each visit by another buyer, whose cart and history do not depend on the rounds before.
      const visitor = await asNewBuyer(app, server.adminUrl);
      if (screen.path === cartPage) await fillCart(visitor);
      const visit = await measureVisit(await context.newPage(), visitor, screen);
      await context.close();
      process.stdout.write(`${screen.name}: ${JSON.stringify(visit)}\n`);
      if (round > 0) visits.get(screen.name)?.push(visit);
    }
  }
  const rows = screens.map(({ name, steps }) => {
    const made = visits.get(name) ?? [];
    const ofStep = steps.map((step) => ({ step: step.name, ms: median(made.map((visit) => visit[step.name] ?? 0)) }));
    const slowest = ofStep.toSorted((one, other) => other.ms - one.ms);
    const inp = median(made.map((visit) => Math.max(...Object.values(visit))));
    return { bar: atMost(name, inp, limitMs, 'ms'), slowest: slowest.slice(0, 3) };
  });
  writeReport('interactions', {
    text: `The slowest interaction of a visit, medians of ${rounds} visits, with the main thread ${slowDown} times slower than this machine's.

${table(
  ['', 'slowest interaction', 'bar', 'slowest steps, ms'],
  rows.map(({ bar, slowest }) => [
    bar.name,
    ...barCells(bar),
    slowest.map(({ step, ms }) => `${step} ${ms}`).join(', '),
  ]),
)}`,
    bars: rows.map(({ bar }) => bar),
  });
}

/** The duration of the slowest interaction of each step, in milliseconds; 0 below 16. */
type Visit = Record<string, number>;

async function measureVisit(page: Page, { origin, headers }: BenchTarget, screen: Screen): Promise<Visit> {
  const [name = '', ...value] = (headers.cookie ?? '').split('=');
  await page.context().addCookies([{ name, value: value.join('='), url: origin }]);
  await page.addInitScript(recordInteractions);
  page.setDefaultTimeout(8_000);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
  await page.goto(`${origin}${screen.path}`, { waitUntil: 'networkidle' });
  const visit: Visit = {};
  for (const step of screen.steps) {
    await page.evaluate(takeInteractions);
    await step.act(page);
    await page.waitForTimeout(settleMs);
    visit[step.name] = Math.max(0, ...(await page.evaluate(takeInteractions)));
  }
  return visit;
}

/** Runs in the browser before the page: collects the durations of interactions. */
function recordInteractions(): void {
  const durations: number[] = [];
  Object.assign(window, { benchInteractions: durations });
  const options = { type: 'event', durationThreshold: 16 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if ('interactionId' in entry && Number(entry.interactionId) > 0) durations.push(entry.duration);
  }).observe(options);
}

/** Runs in the browser: returns the durations since its last call. */
function takeInteractions(): number[] {
  const durations: unknown = Reflect.get(window, 'benchInteractions');
  return Array.isArray(durations) ? durations.splice(0).map(Number) : [];
}

/** Returns the app with the session of a new buyer. */
async function asNewBuyer(app: BenchTarget, adminUrl: string): Promise<BenchTarget> {
  const name = (app.headers.cookie ?? '').split('=')[0];
  return { ...app, headers: { cookie: `${name}=${await createSession(adminUrl, 'User')}` } };
}

/** Fills the buyer's cart with sites and briefs. */
async function fillCart(app: BenchTarget): Promise<void> {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const headers = { ...app.headers, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
    const response = await fetch(`${app.origin}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const listed = z.array(z.object({ id: z.int() })).parse(await call('GET', `/api/guest-posts?limit=${cartSites}`));
  const cart = z
    .object({ id: z.string(), version: z.int() })
    .parse(await call('POST', '/api/user/carts', { projectId: null }));
  const items = listed.map((site, index) => ({
    siteId: site.id,
    brief: {
      targetUrl: `https://shop.example.com/${index}`,
      anchor: `garden tools ${index}`,
      words: 1_200,
      notes: `What the article is about, ${index}.`,
    },
  }));
  await call('PUT', `/api/user/carts/${cart.id}/items`, { items, version: cart.version });
}
