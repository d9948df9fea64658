import { beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '@/lib/ids';
import { defaultBranding } from '@/lib/settings/branding/branding';
import { defaultOptionRules } from '@/lib/settings/option-rules';
import { rotatingThird, testSeed } from '@/scripts/testing/tier';
import { hostileTexts, hostileValues, unstorableText } from '@/tests/api/hostile-values';
import { makeAccount } from '@/tests/factories/make-account';
import { makeSoftwarePasskey } from '@/tests/factories/software-passkey';
import { type Action, allActions } from '@/tests/setup/all-actions';
import { bearerOf } from '@/tests/setup/bearer-of';
import { inRequest } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);
// There is no response to wait for here.
vi.mock('@/lib/platform/lifecycle/run-after-response', () => ({ runAfterResponse: () => undefined }));

const none = newId().toLowerCase();
const password = 'A wholly new Passw0rd!';
const feature = { name: 'Fast', description: 'Very' };
const announcement = { title: 'News', message: 'There is some', type: 'Info', audience: 'Everyone' };
const apiKey = { name: 'Key', provider: 'openai', key: 'sk-0123456789abcdef' };
const existing = { id: none, version: 1 };
const passkey = makeSoftwarePasskey();
const [assertion, registration] = [passkey.answer('AAAA'), passkey.register('AAAA')];
const site = { url: 'https://mine.example', name: 'Mine', country: 'USA', niche: 'General', price: 1 };

const commissionRule = { sellerId: none, niche: 'General', currency: 'USD', margin: '25', minimum: '10' };

/** A valid input of each action. The ids in it do not exist, so that nothing is changed. */
const inputs: Record<string, Record<string, unknown>> = {
  setUpAction: { code: 'AAAAA-AAAAA-AAAAA-AAAAA', name: 'Jane Doe', email: 'jane@example.com', password },
  registerSellerAction: { name: 'Jane Doe', email: 'jane@example.com', password },
  confirmEmailAction: { token: none },
  acceptInvitationAction: { token: none, password },
  stopViewAction: {},
  beginPasskeySignInAction: {},
  passkeySignInAction: { portal: 'user', remember: false, response: assertion },
  beginPasskeyStepAction: { portal: 'user', email: 'unknown@example.com', password },
  passkeyStepAction: { portal: 'user', email: 'unknown@example.com', password, remember: false, response: assertion },
  beginPasskeyAction: { password: 'wrong' },
  addPasskeyAction: { name: 'Laptop', response: registration },
  beginPasskeyConfirmationAction: {},
  confirmWithPasskeyAction: { response: assertion },
  removePasskeyAction: { passkeyId: none, password: 'wrong' },
  markSiteAction: { siteId: 2_000_000_000, kind: 'favorite', on: true },
  saveFilterAction: { name: 'Mine', query: 'q=a', overwrite: true },
  deleteFilterAction: { id: none },
  saveColumnsAction: { columns: ['dr'] },
  changeCartAction: { projectId: none, add: [{ siteId: 2_000_000_000 }], remove: [2_000_000_000] },
  blockDomainsAction: { projectId: none, text: 'example.com' },
  unblockDomainsAction: { projectId: none, domains: ['example.com'] },
  settleReturnAction: { topupId: none, reference: null },
  cancelTopupAction: { topupId: none },
  endSessionAction: { sessionId: none },
  endOtherSessionsAction: {},
  changePasswordAction: { current: 'wrong', password, confirm: password },
  beginTwoStepAction: { password: 'wrong' },
  confirmTwoStepAction: { code: '000000' },
  renewRecoveryCodesAction: { password: 'wrong' },
  turnOffTwoStepAction: { password: 'wrong' },
  setMailPreferenceAction: { kind: 'order-changed', on: true },
  setWeeklyMailAction: { on: 'weekly' },
  connectSlackAction: { url: 'https://hooks.slack.com.example.com/services/T0/B0/x' },
  createTelegramCodeAction: {},
  checkTelegramAction: {},
  disconnectChatAction: { channel: 'webhook' },
  testChatAction: { channel: 'webhook' },
  readNotificationsAction: {},
  switchAccountAction: { accountId: none },
  markNotificationReadAction: { key: 'notice 2000000000' },
  markAllNotificationsReadAction: { upTo: '2026-01-01T00:00:00.000Z' },
  saveReportNoteAction: { orderId: 2_000_000_000, reference: 'A-1', note: '' },
  saveReportMailAction: {
    ...{ projectId: none, recipients: ['client@example.org'], prices: 'none' },
    brand: { name: 'Agency', color: '#2563eb' },
  },
  stopReportMailAction: { projectId: none },
  getOutlookAction: { projectId: none, totalCents: 100, items: [{ siteId: null, rel: 'any' }] },
  markRoomReadAction: { side: 'buyer', orderId: 2_000_000_000, messageId: 1 },
  editOwnSiteAction: { id: '2000000000', version: 1, body: site },
  withdrawSiteAction: { id: '2000000000' },
  selectOwnSitesAction: { q: 'garden', status: 'paused', gap: 'niche' },
  savePayoutMethodAction: { method: { kind: 'paypal', email: 'a@example.com' }, password: 'wrong', code: '000000' },
  setPayoutScheduleAction: { schedule: 'manual' },
  saveBillingProfileAction: {
    legalName: 'Name',
    address: 'Street',
    taxId: '',
    country: 'NO',
    agreed: true,
    version: 1,
  },
  searchPaletteAction: { q: 'anything' },
  searchBuyerRecordsAction: { q: 'anything' },
  searchSellerRecordsAction: { q: 'anything' },
  saveProfileAction: { name: 'Jane Doe', email: 'other@example.com', current: 'wrong', password: '', confirm: '' },
  cancelEmailChangeAction: {},
  endUserSessionsAction: { email: 'unknown@example.com' },
  requestTwoStepResetAction: { userId: none },
  saveViewAction: { list: '/dashboard/features/orders', name: 'Mine', query: 'q=a', overwrite: true },
  renameViewAction: { id: none, name: 'Mine' },
  deleteViewAction: { id: none },
  addUserNoteAction: { id: none, text: 'Note' },
  deleteUserNoteAction: { noteId: 2_000_000_000 },
  tagUserAction: { id: none, tag: 'vip', on: true },
  addOrderNoteAction: { id: 2_000_000_000, text: 'Note' },
  deleteOrderNoteAction: { noteId: 2_000_000_000 },
  tagOrderAction: { id: 2_000_000_000, tag: 'vip', on: true },
  resendInvitationAction: { userId: none },
  revokeInvitationAction: { userId: none },
  startViewAction: { userId: none, reason: 'Ticket 7' },
  listBuyersAction: {},
  listFulfillersAction: {},
  updateOrdersAction: { ids: [2_000_000_000], status: 'Processing' },
  reviewNicheAction: { kind: 'accept', key: 'unknown' },
  previewPricesAction: { ids: [2_000_000_000] },
  applyPricesAction: { sites: [{ id: 2_000_000_000, version: 1, priceCents: 1 }] },
  createCommissionRuleAction: commissionRule,
  updateCommissionRuleAction: { ...existing, ...commissionRule },
  deleteCommissionRuleAction: existing,
  bulkSitesAction: { ids: [2_000_000_000], change: { kind: 'price', margin: '10' } },
  approveAction: { id: 'unknown' },
  rejectAction: { id: 'unknown' },
  setApprovalLimitAction: { limit: '5000.00', version: 0 },
  setAuditHeadAction: { recipients: 'a@example.com', isLogged: true, version: 0 },
  verifyAuditLogAction: { isWhole: false },
  getVerificationProgressAction: {},
  proveBooksAction: {},
  proveEverythingAction: {},
  getProofProgressAction: {},
  acceptPaymentAction: { topupId: none },
  collectReceivableAction: { userId: none },
  confirmReturnAction: { reversalId: none },
  testConnectionAction: { provider: 'stripe', mode: 'test' },
  // No file is read: neither with this version, nor while it is off.
  saveEcbSwitchAction: { isOn: false, version: 1_000 },
  saveSetupVisibilityAction: { isHidden: true, version: 0 },
  setExchangeRateAction: { currency: 'EUR', rate: '1.1' },
  setFlagAction: { name: 'packages', isOn: true, version: 0 },
  createFeatureAction: feature,
  updateFeatureAction: { ...feature, ...existing },
  deleteFeatureAction: existing,
  saveDeliveryProviderAction: {
    ...{ channel: 'peppol', isOn: false, url: 'https://access-point.example.com', key: '12345678', version: 1_000 },
  },
  sendDeliveryAgainAction: { id: none },
  createApiKeyAction: apiKey,
  updateApiKeyAction: { ...apiKey, ...existing },
  deleteApiKeyAction: existing,
  createAnnouncementAction: announcement,
  updateAnnouncementAction: { ...announcement, ...existing },
  deleteAnnouncementAction: existing,
  saveBrandingAction: { ...defaultBranding, version: 0 },
  resetBrandingAction: { version: 0 },
  publishLegalDocumentAction: { kind: 'terms', text: 'Be kind.', version: 5 },
  saveTwoStepRuleAction: { roles: ['Seller'], graceDays: '90', version: 0 },
  savePlacementRulesAction: {
    ...{
      answerHours: 72,
      answerReminderHours: 24,
      dayKind: 'calendar' as const,
      deliveryGraceDays: 2,
      deliveryReminderDays: 1,
      lateCancelDays: 14,
    },
    ...{ approveDays: 7, maxRevisions: 3, silenceDays: 3, unreadMailMinutes: 10, version: 0 },
  },
  saveOptionRulesAction: { ...defaultOptionRules, version: 0 },
  saveDefaultAnchorPlanAction: {
    plan: { brand: 45, address: 20, generic: 15, partial: 12, exact: 5, image: 3, none: 0 },
    version: 0,
  },
  saveFigureOrderAction: { order: ['measured', 'staff', 'seller'], version: 0 },
  saveRatingBudgetAction: { requestsPerDay: 1_000, version: 0 },
  approvePayoutsAction: { ids: [none] },
  savePayoutRulesAction: {
    ...{ minimumCents: 5_000, approvalLimitCents: 100_000, feeCents: { bank: 0, paypal: 0, agreement: 0 }, version: 0 },
    payer: null,
  },
  saveStaffSessionRulesAction: { idleMinutes: '240', maxHours: '12', version: 0 },
  testIntegrationAction: { name: 'clamav' },
  createBackupAction: { withFiles: false },
  backupStateAction: {},
  deleteBackupAction: { id: none },
  restoreBackupAction: { id: none },
  saveBackupScheduleAction: { isOn: false, cron: '30 3 * * *', withFiles: true, keep: '14', version: 0 },
};

/** Values that only a server action can receive: React's encoding supports more types than JSON. */
function valuesBeyondJson(): unknown[] {
  const form = new FormData();
  form.append('$ACTION_ID_x', 'y');
  return [
    ...[undefined, Number.NaN, Number.POSITIVE_INFINITY, -0, 10n ** 30n, Symbol.for('react.element')],
    ...[new Date(Number.NaN), new Date(8.64e15), new Map([[{}, 1]]), new Set(['a']), form, new Uint8Array(10)],
    ...[/a+/, new Error('x'), Promise.resolve(1), () => 1, new Proxy({}, {}), Object.create(null)],
  ];
}

const unasked = JSON.parse(
  `{"__proto__": {"role": "Admin"}, "constructor": {"prototype": {"role": "Admin"}}, "role": "Admin", "userId": "${none}",
    "ownerId": "${none}", "status": "Active", "permissions": ["ManageWallets"], "balanceCents": 1000000}`,
);

const found: Record<string, Action> = {};
const callers = { admin: {}, seller: {} };

beforeAll(async () => {
  Object.assign(found, await allActions());
  callers.admin = await bearerOf((await makeAccount({ role: 'Admin' })).userId);
  callers.seller = await bearerOf((await makeAccount({ role: 'Seller' })).userId);
});

it('covers every server action', () => {
  expect(Object.keys(inputs).sort()).toEqual(Object.keys(found).sort());
});

describe.each(Object.entries(inputs).map((entry, index) => [...entry, index] as const))('%s', (name, usual, index) => {
  it('accepts or rejects hostile input without a server error', { timeout: 120_000 }, async () => {
    const headers = /OwnSite|withdrawSite|savePayoutMethod|setPayoutSchedule/.test(name)
      ? callers.seller
      : callers.admin;
    const hostile = [...hostileTexts, ...hostileValues, ...valuesBeyondJson()];
    // Shared code parses most fields, so a run sends each of them a ninth of the values, and what PostgreSQL cannot hold.
    const tries = [
      ...rotatingThird(hostile, index),
      { ...usual, ...unasked },
      ...Object.keys(usual).flatMap((field, fieldIndex) => {
        const values = [
          unstorableText,
          ...rotatingThird(rotatingThird(hostile, index + fieldIndex), fieldIndex + Math.floor(testSeed / 3)),
        ];
        return values.flatMap((value) => [
          { ...usual, [field]: value },
          { ...usual, [field]: [value] },
        ]);
      }),
    ];
    for (const given of tries) {
      const action = found[name];
      const answer = await inRequest(headers, async () => action?.(given));
      if (!answer?.ok) expect(answer?.status, describeInput(given) + JSON.stringify(answer)).toBeLessThan(500);
    }
    expect(Object.prototype).not.toHaveProperty('role');
  });
});

/** The input of a failed call, shortened. */
const describeInput = (given: unknown) =>
  (typeof given === 'object' && given !== null
    ? Object.entries(given).map(
        ([field, value]) =>
          `${field}=${String(Object.prototype.toString.call(value))} ${typeof value === 'object' ? '' : String(value)}`,
      )
    : [String(given)]
  )
    .join(', ')
    .slice(0, 400);
