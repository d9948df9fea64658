import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import sharp from 'sharp';
import { browserLaunchOptions } from '@/tests/setup/browser';
import { runCommand } from './process/lifetime';
import { projectRoot } from './process/root';

/** The screens of the README, with the account and path of each. */
const screens = [
  { name: 'marketplace', portal: 'user', email: 'buyer@example.com', path: '/user/marketplace?sort=dr&order=desc' },
  { name: 'wallet', portal: 'user', email: 'buyer@example.com', path: '/user/wallet' },
  { name: 'orders', portal: 'admin', email: 'admin@example.com', path: '/dashboard/features/orders' },
  { name: 'console', portal: 'admin', email: 'admin@example.com', path: '/dashboard' },
] as const;
const themes = ['light', 'dark'] as const;
const folder = join(projectRoot, 'docs/images');

type Screen = (typeof screens)[number];
type Theme = (typeof themes)[number];

/**
 * `npm run screenshots [-- http://localhost:3910]`: takes the README's screenshots of a running, new demo in both
 * themes.
 */
runCommand(async (lifetime) => {
  const origin = process.argv[2] ?? 'http://localhost:3000';
  const browser = await lifetime.own(chromium.launch(browserLaunchOptions()), (running) => running.close());
  mkdirSync(folder, { recursive: true });
  for (const screen of screens) for (const theme of themes) await take(browser, origin, screen, theme);
  await lifetime.end(0);
});

async function take(browser: Browser, origin: string, { name, portal, email, path }: Screen, theme: Theme) {
  const context = await browser.newContext({
    viewport: { width: 1240, height: 720 },
    deviceScaleFactor: 1.5,
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  try {
    const response = await context.request.post(`${origin}/api/${portal}/auth/login`, {
      headers: { Origin: origin },
      data: { email, password: 'DemoPassw0rd!' },
    });
    if (!response.ok())
      throw new Error(`${origin} is not a demo: signing in as ${email} returned ${response.status()}.`);
    await context.addInitScript((chosen) => {
      for (const key of ['theme', 'user-theme', 'seller-theme']) localStorage.setItem(key, chosen);
    }, theme);
    const page = await context.newPage();
    await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' });
    const picture = await sharp(await page.screenshot())
      .webp({ quality: 70, effort: 6 })
      .toBuffer();
    const file = join(folder, `${name}-${theme}.webp`);
    writeFileSync(file, picture);
    process.stdout.write(`${file.slice(projectRoot.length + 1)}  ${Math.round(picture.length / 1000)} kB\n`);
  } finally {
    await context.close();
  }
}
