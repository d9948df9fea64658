import { expect, type Page } from '@playwright/test';
import { newId } from '@/lib/ids';
import { makeAccount } from '@/tests/factories/make-account';
import { makeSite } from '@/tests/factories/make-site';
import { entry } from './find';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

// watched-test.ts checks in every test that no page loses its title.

/** The text that Next.js announces to screen readers on a navigation. */
const announcement = (page: Page) => page.locator('next-route-announcer').getByRole('alert');

test(
  'an unknown page has its title in the first HTML @both-full',
  expecting('404 GET /user/projects/*', '404 GET /user/orders/*'),
  async ({ page }) => {
    await signInAs(page, 'user', (await makeAccount()).email);
    for (const path of [`/user/projects/${newId()}`, '/user/orders/999999999/invoice']) {
      const answer = await page.goto(path);
      expect(answer?.status()).toBe(404);
      expect(await answer?.text()).toMatch(/<head>.*<title>Page not found · .*<\/head>/s);
    }
  },
);

test('a search, the menu and Back keep the title, and only a new page is announced @both-full', async ({
  page,
  isMobile,
}) => {
  const [admin, mark] = [await makeAccount({ role: 'Admin' }), newId().toLowerCase()];
  await makeSite(admin.userId, 4_000, { name: `Titled ${mark}` });
  await makeSite(admin.userId, 4_000, { name: `Other ${mark}` });
  await signInAs(page, 'admin', admin.email);
  const follow = async (name: string) => {
    if (isMobile) await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('navigation').getByRole('link', { name }).filter({ visible: true }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  };

  await page.goto(`/dashboard/features/guest-posts?q=${mark}`, { waitUntil: 'networkidle' });
  for (const word of [`Titled ${mark}`, `Other ${mark}`]) {
    await page.getByRole('searchbox', { name: 'Search' }).filter({ visible: true }).fill(word);
    await expect(page).toHaveURL((url) => url.searchParams.get('q') === word);
    await expect(entry(page, word)).toBeVisible();
    await expect(page).toHaveTitle(/^Guest Posts · /);
    await expect(announcement(page)).toHaveText('');
  }
  await follow('Payments');
  await expect(announcement(page)).toHaveText(/^Payments · /);
  await page.goBack();
  await expect(announcement(page)).toHaveText(/^Guest Posts · /);
});
