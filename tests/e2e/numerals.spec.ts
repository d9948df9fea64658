import { expect, type Page } from '@playwright/test';
import { newId } from '@/lib/ids';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { spendMoney } from '@/tests/factories/spend-money';
import { signInAs } from './sign-in';
import { test } from './watched-test';

/** The figures of the elements whose own text contains a text: tabular ones, and Inter's contextual alternates. */
const figuresOf = (page: Page, text: string) =>
  page.evaluate((wanted) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = new Set<string>();
    while (texts.nextNode()) {
      const { nodeValue, parentElement } = texts.currentNode;
      if (!parentElement || !nodeValue?.includes(wanted) || parentElement.closest('script, style')) continue;
      const { fontVariantNumeric, fontVariantLigatures } = getComputedStyle(parentElement);
      found.add(`${fontVariantNumeric}, ${fontVariantLigatures}`);
    }
    return [...found];
  }, text);

const runningText = ['normal, no-contextual'];
const column = ['tabular-nums, no-contextual'];

test('domains are shown without tabular figures and contextual alternates, and columns of amounts are aligned @full', async ({
  page,
}) => {
  const [buyer, seller, admin] = [
    await makeAccount(),
    await makeAccount({ role: 'Seller' }),
    await makeAccount({ role: 'Admin' }),
  ];
  const domain = `08x1y-a-b-${newId().toLowerCase()}.example.com`;
  await makeProject(buyer, { domain });
  await makeSite(seller.userId, 12_345, { name: domain, url: `https://${domain}`, urlKey: domain });
  await fundWallet(buyer.userId, 5_000);
  await spendMoney(buyer, 1_117);

  await signInAs(page, 'user', buyer.email, `/user/marketplace?q=${domain}`);
  expect(await figuresOf(page, domain)).toEqual(runningText);
  expect(await figuresOf(page, '$123.45')).toEqual(column);
  await page.goto('/user/projects');
  expect(await figuresOf(page, domain)).toEqual(runningText);
  await page.goto('/user/orders');
  expect(await figuresOf(page, '$11.17')).toContain(column[0]);
  await signInAs(page, 'seller', seller.email, '/seller/my-sites');
  expect(await figuresOf(page, domain)).toEqual(runningText);
  await signInAs(page, 'admin', admin.email, `/dashboard/features/guest-posts?q=${domain}`);
  expect(await figuresOf(page, domain)).toEqual(runningText);
});
