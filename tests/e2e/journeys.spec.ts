import { expect } from '@playwright/test';
import { like } from 'drizzle-orm';
import { db } from '@/db/client';
import { announcements } from '@/db/schema/announcements';
import { verifyAuditChain } from '@/lib/audit/verify-chain';
import { verifyBooks } from '@/lib/ledger/verify-books';
import * as admin from './journeys/admin-steps';
import * as buyer from './journeys/buyer-steps';
import * as seller from './journeys/seller-steps';
import { beginStory } from './journeys/story';
import { test } from './watched-test';

test('a seller, a buyer and an admin complete every journey, and all of it is audited @both @full', async ({
  browser,
  isMobile,
}) => {
  test.setTimeout(600_000);
  const story = await beginStory(browser, isMobile);
  const step = (what: string, run: (of: typeof story) => Promise<void>) => test.step(what, () => run(story));

  await step('the seller registers, adds a site and imports two more', seller.listSites);
  await step('the admin prices the three and approves two', admin.reviewSites);
  await step("the seller's bell lists it", seller.readReviews);
  await step('the seller edits the rejected one and withdraws it', seller.editAndWithdraw);

  await step('the buyer registers and creates a project', buyer.registerAndMakeProject);
  await step('the buyer tops up with each provider', buyer.topUpWithEachProvider);
  await step('the buyer finds the two and orders them together', buyer.orderTwoSites);

  await step('the admin delivers one, and the buyer is mailed file and link', admin.deliverOrder);
  await step('the admin rejects and refunds the other', admin.refundOrder);
  await step('the buyer opens the link and saves the file', buyer.receiveContent);
  await step('the buyer prints the invoice and the credit note', buyer.printInvoiceAndCreditNote);
  await step('the buyer orders the first again', buyer.orderAgain);

  await step('the admin credits the wallet manually', admin.creditWallet);
  await step('the admin creates a role for a new user, who has only its permissions', admin.setRole);
  try {
    await step("the admin's announcement reaches the buyer, and is deleted", admin.announce);
  } finally {
    // Every customer of this installation would read it.
    await db()
      .delete(announcements)
      .where(like(announcements.title, `%${story.mark}`));
  }
  await step('the buyer changes the password and signs out everywhere', buyer.signOutEverywhere);

  await step('the audit log contains all of it', admin.readAuditLog);
  await test.step('books and audit log are valid', async () => {
    expect((await verifyBooks()).checks.filter(({ broken }) => broken > 0)).toEqual([]);
    expect((await verifyAuditChain()).faults).toEqual([]);
  });
});
