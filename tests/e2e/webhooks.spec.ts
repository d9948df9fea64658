import { expect } from '@playwright/test';
import { makeAccount } from '@/tests/factories/make-account';
import { deletePage, publishPage, requestsOf } from '@/tests/setup/publisher';
import { expectNoViolation } from './expect-no-violation';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

const host = 'hooks-of-the-browser-test.example.com';
const url = `https://${host}/receive`;

test(
  'a buyer adds an endpoint, sends a test, reads the answer and retries it',
  expecting('400 POST /api/webhooks'),
  async ({ page }) => {
    await publishPage({ url, html: 'Out of order', status: 500 });
    const buyer = await makeAccount();
    await signInAs(page, 'user', buyer.email, '/user/webhooks');
    await expect(page.getByText('No endpoints yet')).toBeVisible();
    await expectNoViolation(page);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('https://127.0.0.1/inner');
    await dialog.getByRole('checkbox', { name: 'order.created' }).check();
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await expect(dialog.getByText('This one belongs to a private network.')).toBeVisible();
    await dialog.getByLabel('URL').fill(url);
    await expectNoViolation(page);
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await expect(dialog.getByText(/^whsec_/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('link', { name: url }).click();
    await expect(page.getByText('No deliveries yet')).toBeVisible();
    await page.getByRole('button', { name: `Actions for ${url}` }).click();
    await page.getByRole('menuitem', { name: 'Send test' }).click();
    await expect(page.getByText('Test failed. The endpoint answered 500.')).toBeVisible();
    const delivery = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');
    await expect(delivery).toContainText('Failed');
    await delivery.getByText('Request and answers').click();
    await expect(delivery.getByText('Out of order')).toBeVisible();
    await expect(delivery.getByText('webhook-signature: v1,')).toBeVisible();
    await expectNoViolation(page);

    await publishPage({ url, html: 'ok' });
    await delivery.getByRole('button', { name: 'Retry' }).click();
    await expect(delivery).toContainText('Delivered');
    const received = (await requestsOf(host)).filter(({ method }) => method === 'POST');
    expect(received).toHaveLength(2);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);

    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoViolation(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.getByRole('button', { name: `Actions for ${url}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete endpoint' }).click();
    await expect(page.getByText('No endpoints yet')).toBeVisible();
    await deletePage(url);
  },
);
