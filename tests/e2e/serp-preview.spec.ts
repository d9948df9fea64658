import { expect, type Page } from '@playwright/test';
import { getCoverage, measureWidth } from '@/lib/serp/font-metrics';
import { type SerpDevice, serpDevices, serpLines } from '@/lib/serp/limits';
import { isEstimated } from '@/lib/serp/runs';
import { makeAccount } from '@/tests/factories/make-account';
import { expectNoViolation } from './expect-no-violation';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

const path = '/dashboard/features/serp-preview';

/**
 * Realistic titles in several scripts: kerning pairs, ligatures, composed and decomposed accents, symbols, and
 * characters that the fonts lack.
 */
const titles = [
  'Buy Guest Posts: 1,000+ Sites with Real Traffic | LinkMarket',
  'AVATAR & WAVE – “To. Your” Tv Typography, fi ffl fj (2026)',
  'Zażółć gęślą jaźń – zakup linków i artykułów sponsorowanych',
  'Größe, Füße & Öl: Überblick über Backlinks für Anfänger',
  'Cafe\u0301 cre\u0300me: la liste complète des sites français à 35 €',
  'Mua bài viết của khách: bảng giá liên kết tiếng Việt',
  'Купить гостевые посты и вечные ссылки — цены на 2026 год',
  'Αγορά συνδέσμων: Τιμές, ποιότητα και ό,τι άλλο χρειάζεστε',
  'קניית קישורים לאתר – מחירון מלא',
  'ゲスト投稿の購入ガイド – SEO 2026',
  '购买客座文章与反向链接｜价格表',
  'شراء روابط خلفية عالية الجودة',
  '🚀 Links that last ✓ → order now ™',
  'W'.repeat(60),
];

async function openTool(page: Page, query = '') {
  const { email } = await makeAccount({ role: 'Admin' });
  await signInAs(page, 'admin', email, path + query);
  await expect(page.getByText('0 / ', { exact: false }).first()).toBeVisible();
}

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const widthShown = async (page: Page) =>
  Number.parseInt(
    (await page
      .getByText(/^\d+ \/ \d+ px$/)
      .first()
      .textContent()) ?? '',
    10,
  );

for (const device of serpDevices) {
  test(`browser and server measure titles alike on ${device}, within a pixel @full`, async ({ page }) => {
    await openTool(page, device === 'mobile' ? '?device=mobile' : '');
    const line = serpLines[device].title;
    for (const title of titles) {
      await field(page, 'Title').fill(title);
      const onServer = measureWidth(title, line);
      await expect
        .poll(async () => Math.abs((await widthShown(page)) - onServer), { message: title })
        .toBeLessThanOrEqual(1);
      const hasEstimate = isEstimated(title, getCoverage(line.font));
      await expect(page.getByText('Estimated')).toHaveCount(hasEstimate ? 1 : 0);
      if (!hasEstimate) expect(Math.abs((await laidOut(page, title, device)) - onServer), title).toBeLessThanOrEqual(1);
    }
  });
}

/** As the browser lays the title out, without the app's code; large, so that rounding does not matter. */
function laidOut(page: Page, title: string, device: SerpDevice): Promise<number> {
  const { font, sizePx } = serpLines[device].title;
  return page.evaluate(
    async ([text, family, size]) => {
      await document.fonts.load(`1000px ${family}`, text);
      const span = document.createElement('span');
      span.textContent = text;
      span.style.cssText = `position:absolute;white-space:pre;font:400 1000px ${family};letter-spacing:0`;
      document.body.append(span);
      const { width } = span.getBoundingClientRect();
      span.remove();
      return (width / 1_000) * size;
    },
    [title.normalize('NFC'), font, sizePx] as const,
  );
}

test('a page is previewed on both devices, with its length warnings, a suggestion, undo and reset', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openTool(page);
  await field(page, 'Domain').fill('www.garden-tools.example');
  await field(page, 'Slug / path').fill('blog/spades');
  await field(page, 'Search intent').fill('garden spades');
  await field(page, 'Title').fill('Hand-made rakes, forks and spades from a family workshop in the hills of Yorkshire');
  await field(page, 'Description').fill(
    `Good garden spades last. ${'They are forged by hand and sent within two days. '.repeat(6)}`,
  );

  await expect(page.getByText('Title is likely to truncate on desktop. Consider shortening it.')).toBeVisible();
  await expect(
    page.getByText('Description may truncate on desktop. Tighten it up or front-load key info.'),
  ).toBeVisible();
  await expect(page.getByText('Too long')).toHaveCount(2);
  const card = page.getByRole('article', { name: 'Search result on desktop' });
  await expect(card).toContainText('www.garden-tools.example › blog › spades');
  await expect(card.getByRole('heading')).toHaveText(/^Hand-made rakes.* …$/);
  await expect(card.locator('mark')).toHaveText(['garden', 'spades']);

  await page.getByRole('button', { name: 'Mobile' }).click();
  await expect(page.getByRole('button', { name: 'Mobile' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page).toHaveURL(/\?device=mobile$/);
  await expect(page.getByText('Title is likely to truncate on mobile. Consider shortening it.')).toBeVisible();
  await page.getByRole('button', { name: 'Copy the trimmed title' }).click();
  const shown = await page.getByRole('article').getByRole('heading').textContent();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(shown);

  await page.getByRole('button', { name: 'Suggest', exact: true }).click();
  await page.getByRole('button', { name: 'Use the suggested title' }).click();
  await expect(field(page, 'Title')).toHaveValue(/^Garden spades/i);
  await page.getByRole('button', { name: 'Rewrite Both (SEO)' }).click();
  await expect(page.getByText('Title and description were rewritten.')).toBeVisible();
  await expect(page.getByText('Good', { exact: true })).toHaveCount(2);
  await expect(field(page, 'Description')).toHaveValue(/^Garden spades: Good garden spades last\./i);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(field(page, 'Description')).toHaveValue(/^Good garden spades last\./);

  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(field(page, 'Title')).toHaveValue('');
  await expect(field(page, 'Domain')).toHaveValue('');
  await expect(page.getByText('Good', { exact: true })).toHaveCount(0);
});

test('input during a pending suggestion is restored with Undo @full', async ({ page }) => {
  await openTool(page);
  await field(page, 'Title').fill('Spades');
  await page.route('**/api/tools/seo/suggest', async (route) => {
    await expect(field(page, 'Description')).toHaveValue('Typed meanwhile');
    await expect(page.getByRole('button', { name: 'Reset' })).toBeDisabled();
    await route.continue();
  });
  await page.getByRole('button', { name: 'Rewrite Both (SEO)' }).click();
  await field(page, 'Description').fill('Typed meanwhile');
  await expect(field(page, 'Description')).toHaveValue('Spades.');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(field(page, 'Description')).toHaveValue('Typed meanwhile');
});

test(
  'a failed suggestion shows a message, and the input stays @full',
  expecting('400 POST /api/tools/seo/suggest'),
  async ({ page }) => {
    await openTool(page);
    await page.getByRole('button', { name: 'Suggest', exact: true }).click();
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Enter a domain, a title');
    await field(page, 'Title').fill('Kept');
    await page.route('**/api/tools/seo/suggest', (route) => route.abort());
    await page.getByRole('button', { name: 'Rewrite Both (SEO)' }).click();
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('Failed to get suggestions.');
    await expect(field(page, 'Title')).toHaveValue('Kept');
  },
);

test('axe finds no violation on the tool @full', { tag: '@both-full' }, async ({ page }) => {
  await openTool(page);
  await field(page, 'Search intent').fill('links');
  await field(page, 'Title').fill(titles.join(' '));
  await field(page, 'Description').fill('Links that last, for a description that fits.');
  await page.getByRole('button', { name: 'Suggest', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Use the suggested title' })).toBeVisible();
  await expectNoViolation(page);
  await page.getByRole('button', { name: 'Mobile' }).click();
  await expect(page.getByRole('article', { name: 'Search result on mobile' })).toBeVisible();
  await expectNoViolation(page);
});
