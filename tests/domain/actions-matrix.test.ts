import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { accountRoles } from '@/db/enums';
import { clientReportMails, clientReportNotes } from '@/db/schema/client-reports';
import { messageReads } from '@/db/schema/order-messages';
import { passkeys } from '@/db/schema/passkeys';
import { projects } from '@/db/schema/projects';
import { savedFilters } from '@/db/schema/site-preferences';
import { sites } from '@/db/schema/sites';
import { topups } from '@/db/schema/topups';
import { sessions } from '@/db/schema/users';
import { isOpenToUsers } from '@/lib/access/account-roles';
import type { Access } from '@/lib/access/authorize';
import { type Permission, permissions } from '@/lib/access/permissions';
import { accountHeader } from '@/lib/auth/current-actor';
import { newId } from '@/lib/ids';
import { saveReportMail } from '@/lib/orders/client-reports/monthly-mail';
import { saveReportNote } from '@/lib/orders/client-reports/reports';
import { postMessage } from '@/lib/orders/messages/post';
import type { ActionResult } from '@/lib/platform/http/action';
import { operations } from '@/tests/api/account-roles';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeOrder } from '@/tests/factories/make-order';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeRole } from '@/tests/factories/make-staff';
import { makeTeam } from '@/tests/factories/make-team';
import { makeTopup } from '@/tests/factories/make-topup';
import { makeUser } from '@/tests/factories/make-user';
import { type Action, allActions } from '@/tests/setup/all-actions';
import { bearerOf } from '@/tests/setup/bearer-of';
import { inRequest } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

type Headers = Record<string, string>;

/** The access rule of every server action. A new action needs an entry here. */
const admits: Record<string, Access> = {
  registerSellerAction: 'public',
  setUpAction: 'public',
  confirmEmailAction: 'public',
  acceptInvitationAction: 'public',
  stopViewAction: 'public',
  beginPasskeySignInAction: 'public',
  passkeySignInAction: 'public',
  beginPasskeyStepAction: 'public',
  passkeyStepAction: 'public',
  beginPasskeyAction: 'session',
  addPasskeyAction: 'session',
  removePasskeyAction: 'session',
  beginPasskeyConfirmationAction: 'session',
  confirmWithPasskeyAction: 'session',
  markSiteAction: 'account:orders',
  saveFilterAction: 'session',
  deleteFilterAction: 'session',
  saveColumnsAction: 'session',
  changeCartAction: 'account:orders',
  blockDomainsAction: 'account:orders',
  unblockDomainsAction: 'account:orders',
  settleReturnAction: 'account:wallet',
  cancelTopupAction: 'account:wallet',
  endSessionAction: 'session',
  endOtherSessionsAction: 'session',
  changePasswordAction: 'session',
  beginTwoStepAction: 'session',
  confirmTwoStepAction: 'session',
  renewRecoveryCodesAction: 'session',
  turnOffTwoStepAction: 'session',
  setMailPreferenceAction: 'session',
  setWeeklyMailAction: 'session',
  connectSlackAction: 'session',
  createTelegramCodeAction: 'session',
  checkTelegramAction: 'session',
  disconnectChatAction: 'session',
  testChatAction: 'session',
  readNotificationsAction: 'session',
  switchAccountAction: 'session',
  markNotificationReadAction: 'session',
  markAllNotificationsReadAction: 'session',
  saveReportNoteAction: 'account:orders',
  saveReportMailAction: 'account:orders',
  stopReportMailAction: 'account:orders',
  markRoomReadAction: 'account:orders',
  getOutlookAction: 'account:orders',
  editOwnSiteAction: 'seller',
  withdrawSiteAction: 'seller',
  selectOwnSitesAction: 'seller',
  savePayoutMethodAction: 'seller',
  setPayoutScheduleAction: 'seller',
  saveBillingProfileAction: 'seller',
  searchPaletteAction: 'AdminDashboard',
  searchBuyerRecordsAction: 'account:orders',
  searchSellerRecordsAction: 'seller',
  saveProfileAction: 'AdminDashboard',
  cancelEmailChangeAction: 'AdminDashboard',
  endUserSessionsAction: 'ManageUsers',
  requestTwoStepResetAction: 'ManageUsers',
  saveViewAction: 'AdminDashboard',
  renameViewAction: 'AdminDashboard',
  deleteViewAction: 'AdminDashboard',
  addUserNoteAction: 'ManageUsers',
  deleteUserNoteAction: 'ManageUsers',
  tagUserAction: 'ManageUsers',
  addOrderNoteAction: 'ManageOrders',
  deleteOrderNoteAction: 'ManageOrders',
  tagOrderAction: 'ManageOrders',
  resendInvitationAction: 'ManageUsers',
  revokeInvitationAction: 'ManageUsers',
  startViewAction: 'ManageUsers',
  listBuyersAction: 'ManageOrders',
  listFulfillersAction: 'ManageOrders',
  updateOrdersAction: 'ManageOrders',
  bulkSitesAction: 'ManageSites',
  reviewNicheAction: 'ManageSites',
  previewPricesAction: 'ManageSites',
  applyPricesAction: 'ManageSites',
  createCommissionRuleAction: 'ManageSites',
  updateCommissionRuleAction: 'ManageSites',
  deleteCommissionRuleAction: 'ManageSites',
  approveAction: 'AdminDashboard',
  rejectAction: 'AdminDashboard',
  setApprovalLimitAction: 'ManageWallets',
  setAuditHeadAction: 'ManageSettings',
  verifyAuditLogAction: 'ViewAuditLogs',
  getVerificationProgressAction: 'ViewAuditLogs',
  proveBooksAction: 'ManageWallets',
  proveEverythingAction: 'ManageWallets',
  getProofProgressAction: 'ManageWallets',
  acceptPaymentAction: 'ManageWallets',
  collectReceivableAction: 'ManageWallets',
  confirmReturnAction: 'ManageWallets',
  testConnectionAction: 'ManagePayments',
  setExchangeRateAction: 'ManagePayments',
  saveEcbSwitchAction: 'ManagePayments',
  saveSetupVisibilityAction: 'ManageSettings',
  setFlagAction: 'ManageSettings',
  createFeatureAction: 'ManageSettings',
  updateFeatureAction: 'ManageSettings',
  deleteFeatureAction: 'ManageSettings',
  saveDeliveryProviderAction: 'ManageSettings',
  sendDeliveryAgainAction: 'ManageOrders',
  createApiKeyAction: 'ManageSettings',
  updateApiKeyAction: 'ManageSettings',
  deleteApiKeyAction: 'ManageSettings',
  createAnnouncementAction: 'ManageSettings',
  updateAnnouncementAction: 'ManageSettings',
  deleteAnnouncementAction: 'ManageSettings',
  saveBrandingAction: 'ManageSettings',
  resetBrandingAction: 'ManageSettings',
  publishLegalDocumentAction: 'ManageSettings',
  saveTwoStepRuleAction: 'ManageSettings',
  saveStaffSessionRulesAction: 'ManageSettings',
  saveOptionRulesAction: 'ManageSettings',
  savePlacementRulesAction: 'ManageSettings',
  saveDefaultAnchorPlanAction: 'ManageSettings',
  saveFigureOrderAction: 'ManageSettings',
  saveRatingBudgetAction: 'ManageSettings',
  approvePayoutsAction: 'ManagePayouts',
  savePayoutRulesAction: 'ManagePayouts',
  testIntegrationAction: 'ManageSettings',
  createBackupAction: 'ManageBackups',
  backupStateAction: 'ManageBackups',
  deleteBackupAction: 'ManageBackups',
  restoreBackupAction: 'ManageBackups',
  saveBackupScheduleAction: 'ManageBackups',
};

const found: Record<string, Action> = {};
const callers: Record<string, Headers> = { stranger: {} };

beforeAll(async () => {
  Object.assign(found, await allActions());
  const of = async (role: string) => bearerOf((await makeAccount({ role })).userId);
  callers.buyer = await of('User');
  callers.seller = await of('Seller');
  callers.admin = await of('Admin');
  const { accountId, members } = await makeTeam();
  for (const role of accountRoles)
    callers[`team ${role}`] = { ...(await bearerOf(members[role].userId)), [accountHeader]: accountId };
  for (const permission of permissions) {
    callers[`with ${permission}`] = await of(await makeRole([...new Set<Permission>(['AdminDashboard', permission])]));
    if (permission !== 'AdminDashboard') callers[`only ${permission}`] = await of(await makeRole([permission]));
    callers[`all but ${permission}`] = await of(await makeRole(permissions.filter((one) => one !== permission)));
  }
});

/** A string is invalid input for every action: an admitted caller gets a validation error, and nothing changes. */
const nonsense = 'nonsense';

function expected(caller: string, access: Access): number {
  if (access === 'public') return 400;
  if (caller === 'stranger') return 401;
  if (isOpenToUsers(access)) return 400;
  if (access === 'seller') return caller === 'seller' ? 400 : 403;
  return caller === 'admin' || caller === `with ${access}` ? 400 : 403;
}

const statusOf = (answer: ActionResult<unknown>) => (answer.ok ? 200 : answer.status);

it('lists every server action that the browser can call', () => {
  expect(Object.keys(found).sort()).toEqual(Object.keys(admits).sort());
});

it.each(Object.entries(admits))('%s admits only callers with its access: %s', async (name, access) => {
  const action = found[name];
  if (!action) throw new Error(`There is no ${name}.`);
  const asking = ['stranger', 'buyer', 'seller', 'admin', `with ${access}`, `only ${access}`, `all but ${access}`];
  for (const caller of asking.filter((one) => callers[one])) {
    const answer = await inRequest(callers[caller] ?? {}, () => action(nonsense));
    expect(statusOf(answer), `${caller}: ${JSON.stringify(answer)}`).toBe(expected(caller, access));
  }
  // With a cookie, the request must also come from the app's own pages.
  const [, token = ''] = (callers[access === 'seller' ? 'seller' : 'admin']?.authorization ?? '').split(' ');
  const foreign = { cookie: `linkmarket.session.3000=${token}`, origin: 'https://evil.example' };
  expect(statusOf(await inRequest(foreign, () => action(nonsense)))).toBe(403);
});

const ofBuyers = operations.filter(({ kind }) => kind === 'action');

it.each(ofBuyers)('$name admits of a team only $admitted', async ({ name, admitted }) => {
  for (const role of accountRoles) {
    const answer = await inRequest(callers[`team ${role}`] ?? {}, async () => found[name]?.(nonsense));
    expect({ role, status: answer && statusOf(answer) }).toEqual({ role, status: admitted.includes(role) ? 400 : 403 });
  }
});

describe('records of another user', () => {
  const reportMail = {
    ...{ recipients: ['client@example.org'], prices: 'none' as const },
    brand: { name: 'Agency', color: '#2563eb' },
  };
  const owned = {
    ...{
      filterId: newId(),
      topupId: newId(),
      sessionId: newId(),
      passkeyId: newId(),
      siteId: 0,
      orderId: 0,
      projectId: '',
    },
  };

  beforeAll(async () => {
    const [owner, vendor] = [await makeAccount(), await makeAccount({ role: 'Seller' })];
    const expiresAt = new Date(Date.now() + 600_000);
    owned.siteId = await makeSite(vendor.userId, 1_000);
    const order = await makeOrder(1_000);
    owned.orderId = order.id;
    await saveReportNote(order.buyer, { orderId: order.id, reference: 'B-2', note: '' });
    owned.projectId = await makeProject(order.buyer);
    await saveReportMail(order.buyer, { projectId: owned.projectId, ...reportMail });
    await postMessage(await makeUser('Admin'), 'staff', order.id, { text: 'Hello', files: [] });
    await db().insert(savedFilters).values({ id: owned.filterId, userId: owner.userId, name: 'Mine', query: 'q=a' });
    await db().insert(sessions).values({ id: owned.sessionId, userId: owner.userId, expiresAt });
    await makeTopup(owner, { id: owned.topupId });
    await db()
      .insert(passkeys)
      .values({
        ...{ id: owned.passkeyId, userId: owner.userId, credentialId: newId(), publicKey: 'AA', counter: 0 },
        ...{ transports: [], isBackedUp: false, name: 'Mine' },
      });
  });

  const body = { url: 'https://taken.example', name: 'Taken', country: 'USA', niche: 'General', price: 1 };
  const rows: [name: string, caller: string, own: () => unknown, none: unknown, row: () => Promise<unknown>][] = [
    [
      'deleteFilterAction',
      'buyer',
      () => ({ id: owned.filterId }),
      { id: newId() },
      () => db().select().from(savedFilters).where(eq(savedFilters.id, owned.filterId)),
    ],
    [
      'removePasskeyAction',
      'buyer',
      () => ({ passkeyId: owned.passkeyId, password: testPassword }),
      { passkeyId: newId(), password: testPassword },
      () => db().select().from(passkeys).where(eq(passkeys.id, owned.passkeyId)),
    ],
    [
      'cancelTopupAction',
      'buyer',
      () => ({ topupId: owned.topupId }),
      { topupId: newId() },
      () => db().select().from(topups).where(eq(topups.id, owned.topupId)),
    ],
    [
      'settleReturnAction',
      'buyer',
      () => ({ topupId: owned.topupId, reference: null }),
      { topupId: newId(), reference: null },
      () => db().select().from(topups).where(eq(topups.id, owned.topupId)),
    ],
    [
      'endSessionAction',
      'buyer',
      () => ({ sessionId: owned.sessionId }),
      { sessionId: newId() },
      () => db().select().from(sessions).where(eq(sessions.id, owned.sessionId)),
    ],
    [
      'saveReportNoteAction',
      'buyer',
      () => ({ orderId: owned.orderId, reference: 'A-1', note: '' }),
      { orderId: 999_999_999, reference: 'A-1', note: '' },
      () => db().select().from(clientReportNotes).where(eq(clientReportNotes.orderId, owned.orderId)),
    ],
    [
      'saveReportMailAction',
      'buyer',
      () => ({ projectId: owned.projectId, ...reportMail }),
      { projectId: newId(), ...reportMail },
      () => db().select().from(clientReportMails).where(eq(clientReportMails.projectId, owned.projectId)),
    ],
    [
      'stopReportMailAction',
      'buyer',
      () => ({ projectId: owned.projectId }),
      { projectId: newId() },
      () => db().select().from(clientReportMails).where(eq(clientReportMails.projectId, owned.projectId)),
    ],
    [
      'getOutlookAction',
      'buyer',
      () => ({ projectId: owned.projectId, totalCents: 100, items: [] }),
      { projectId: newId(), totalCents: 100, items: [] },
      () => db().select().from(projects).where(eq(projects.id, owned.projectId)),
    ],
    [
      'markRoomReadAction',
      'buyer',
      () => ({ side: 'buyer', orderId: owned.orderId, messageId: 999_999 }),
      { side: 'buyer', orderId: 999_999_999, messageId: 1 },
      () => db().select().from(messageReads).where(eq(messageReads.orderId, owned.orderId)).limit(1),
    ],
    [
      'editOwnSiteAction',
      'seller',
      () => ({ id: String(owned.siteId), version: 1, body }),
      { id: '999999999', version: 1, body },
      () => db().select().from(sites).where(eq(sites.id, owned.siteId)),
    ],
    [
      'withdrawSiteAction',
      'seller',
      () => ({ id: String(owned.siteId) }),
      { id: '999999999' },
      () => db().select().from(sites).where(eq(sites.id, owned.siteId)),
    ],
  ];

  it.each(rows)(
    "%s responds to another user's record as to an unknown one, and changes nothing",
    async (name, caller, own, none, row) => {
      const action = found[name];
      if (!action) throw new Error(`There is no ${name}.`);
      const before = await row();
      expect(before).toHaveLength(1);
      // Neither a regular user of the action nor an admin, who has other permissions.
      const ask = (input: unknown) => inRequest(callers[caller] ?? {}, () => action(input));
      const [foreign, missing] = [await ask(own()), await ask(none)];
      const summarize = (answer: ActionResult<unknown>) => JSON.stringify(answer).replace(/#?\d+|[0-9a-z]{26}/g, '#');
      expect(summarize(foreign)).toBe(summarize(missing));
      expect(await row()).toEqual(before);
    },
  );

  it('covers every action of users without the admin area, by a record here or without one', () => {
    const withoutRecord = [
      ...['beginPasskeyConfirmationAction', 'confirmWithPasskeyAction'],
      ...['savePayoutMethodAction', 'setPayoutScheduleAction'],
      ...['acceptInvitationAction', 'setUpAction', 'stopViewAction'],
      ...['registerSellerAction', 'confirmEmailAction', 'markSiteAction', 'saveFilterAction', 'saveColumnsAction'],
      ...['endOtherSessionsAction', 'changePasswordAction', 'beginTwoStepAction', 'confirmTwoStepAction'],
      ...['beginPasskeySignInAction', 'passkeySignInAction', 'beginPasskeyStepAction', 'passkeyStepAction'],
      ...[
        'beginPasskeyAction',
        'addPasskeyAction',
        'renewRecoveryCodesAction',
        'turnOffTwoStepAction',
        'setMailPreferenceAction',
        'setWeeklyMailAction',
        // Of the actor's own chats (chats.test.ts).
        'connectSlackAction',
        'createTelegramCodeAction',
        'checkTelegramAction',
        'disconnectChatAction',
        'testChatAction',
        'readNotificationsAction',
        // Another account is not found (members.test.ts).
        'switchAccountAction',
        // Changes nothing for another user's key (buyer-bell.test.ts).
        'markNotificationReadAction',
        'markAllNotificationsReadAction',
        'saveBillingProfileAction',
        // Another user's project is not found (block-list.test.ts).
        'blockDomainsAction',
        'unblockDomainsAction',
        // Refuses the project of another user as an unknown one, by getProject.
        'changeCartAction',
        // Find own records only (palette.test.ts).
        'searchBuyerRecordsAction',
        'searchSellerRecordsAction',
        // Lists the ids of own sites only.
        'selectOwnSitesAction',
      ],
    ];
    const open = Object.entries(admits).filter(
      ([, access]) => access === 'public' || access === 'seller' || isOpenToUsers(access),
    );
    expect([...rows.map(([name]) => name), ...withoutRecord].sort()).toEqual(open.map(([name]) => name).sort());
  });
});
