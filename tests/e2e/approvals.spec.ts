import { expect } from '@playwright/test';
import { getWalletBalance } from '@/lib/ledger/balance';
import { createManualTopup } from '@/lib/wallet/manual-topup';
import { makeAccount } from '@/tests/factories/make-account';
import { makeUser } from '@/tests/factories/make-user';
import { expectNoViolation } from './expect-no-violation';
import { actionsOf, button, choose, entry } from './find';
import { signInAs } from './sign-in';
import { test } from './watched-test';

test("a second admin approves or rejects a request from its row's menu; the requester withdraws it @both-full", async ({
  page,
}) => {
  const [requester, admin] = [await makeUser('Admin'), await makeAccount({ role: 'Admin' })];
  const request = (by: typeof requester, { userId }: { userId: string }) =>
    createManualTopup(by, { userId, amountCents: 1_000_001, note: '', currency: 'USD' });
  const [credited, refused, withdrawn] = [await makeAccount(), await makeAccount(), await makeAccount()];
  for (const user of [credited, refused]) await request(requester, user);
  await request(admin, withdrawn);
  await signInAs(page, 'admin', admin.email, '/dashboard/features/approvals');
  const summaryOf = ({ email }: { email: string }) => `Credit $10,000.01 to ${email}: Manual top-up.`;
  const confirm = (verb: string) => button(page.getByRole('alertdialog'), verb).click();

  await choose(actionsOf(page, summaryOf(credited)), 'Approve');
  await confirm('Approve');
  await expect(page.getByText('Change approved.')).toBeVisible();
  await expect(entry(page, credited.email)).toContainText('Approved');
  expect(await getWalletBalance(credited.userId)).toBe(1_000_001);

  await choose(actionsOf(page, summaryOf(refused)), 'Reject');
  await confirm('Reject');
  await expect(page.getByText('Request rejected.')).toBeVisible();
  await expect(entry(page, refused.email)).toContainText('Rejected');
  expect(await getWalletBalance(refused.userId)).toBe(0);

  await button(page, `Withdraw: ${summaryOf(withdrawn)}`).click();
  await confirm('Withdraw');
  await expect(page.getByText('Request withdrawn.')).toBeVisible();
  await expectNoViolation(page);
});
