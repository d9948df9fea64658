import { expect } from '@playwright/test';
import { expectNoViolation } from '@/tests/e2e/expect-no-violation';
import { button, entry, expectSeen, file, link } from '@/tests/e2e/find';
import { register } from './register';
import type { Story } from './story';

export async function listSites({ seller, sellerEmail, mark, garden, harbour, attic }: Story): Promise<void> {
  await register(seller, 'seller', 'Sela Seller', sellerEmail);
  await seller.goto('/seller/my-sites');
  await button(seller, 'Add site').click();
  const add = seller.getByRole('dialog');
  await add.getByLabel('Name').fill(garden);
  await add.getByLabel('URL').fill(`https://garden-${mark}.example`);
  await add.getByLabel('Country').fill('Norway');
  await add.getByLabel('Niche').selectOption({ index: 1 });
  await add.getByLabel('Your price').fill('40');
  await add.getByLabel('Turnaround').fill('5');
  await expectNoViolation(seller);
  await button(add, 'Add site').click();
  await expect(add).toBeHidden();

  await button(seller, 'Upload CSV').click();
  const upload = seller.getByRole('dialog', { name: 'Upload CSV' });
  const rows = [
    'URL,Name,DR,Price',
    `harbour-${mark}.example,${harbour},41,12`,
    `attic-${mark}.example,${attic},12,35`,
    `harbour-${mark}.example,Again,41,12`,
  ];
  await upload.getByLabel('CSV file').setInputFiles(file('sites.csv', rows.join('\n'), 'text/csv'));
  await button(upload, 'Import 2 sites').click();
  await expect(upload.getByText('Inserted: 2')).toBeVisible();
  await expect(upload.getByText('Duplicates: 1')).toBeVisible();
  await button(upload, 'OK').click();
  for (const site of [garden, harbour, attic]) await expect(entry(seller, site)).toContainText('Pending');
}

export async function readReviews({ seller, garden, attic }: Story): Promise<void> {
  await seller.goto('/seller');
  await seller.getByRole('button', { name: /^Notifications, \d+ unread$/ }).click();
  await expectSeen(seller, /were approved/);
  await expectSeen(seller, /was rejected/);
  await button(seller, 'Mark all as read').click();
  await expect(seller.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  await seller.goto('/seller/my-sites');
  await expect(entry(seller, garden)).toContainText('Approved');
  await expect(entry(seller, attic)).toContainText('Rejected');
  await expect(entry(seller, attic)).toContainText('The price is too high');
}

export async function editAndWithdraw({ seller, attic }: Story): Promise<void> {
  await link(seller, `Edit ${attic}`).click();
  const edit = seller.getByRole('dialog');
  await expectSeen(seller, 'Comparable sites cost $20.');
  await edit.getByLabel('Your price').fill('30');
  await button(edit, 'Save changes').click();
  await expect(edit).toBeHidden();
  await expect(entry(seller, attic)).toContainText('Pending');
  await link(seller, `Edit ${attic}`).click();
  await button(edit, 'Withdraw').click();
  const question = seller.getByRole('alertdialog');
  await expect(question).toContainText(attic);
  await expectNoViolation(seller);
  await button(question, 'Withdraw site').click();
  await expect(link(seller, `Edit ${attic}`)).toHaveCount(0);
}
