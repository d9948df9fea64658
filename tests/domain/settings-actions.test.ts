import { beforeAll, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { sessions } from '@/db/schema/users';
import { permissions } from '@/lib/access/permissions';
import * as signIn from '@/lib/auth/actions';
import { encodeSessionToken } from '@/lib/auth/session-token';
import { newId } from '@/lib/ids';
import * as integrations from '@/lib/integrations/actions';
import * as notifications from '@/lib/notifications/actions';
import type { ActionResult } from '@/lib/platform/http/action';
import * as features from '@/lib/settings/actions';
import * as apiManager from '@/lib/settings/actions';
import * as branding from '@/lib/settings/actions';
import * as flags from '@/lib/settings/actions';
import * as placementRules from '@/lib/settings/actions';
import { makeAccount } from '@/tests/factories/make-account';
import { makeRole } from '@/tests/factories/make-staff';
import { inRequest } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

/** No record has this id: an admitted caller gets an error, and nothing changes. */
const nothing = { id: newId(), version: 1 };
const late = { version: 999_999 };

/** Every action of the settings screens, with its response for an admitted caller. */
const calls: [name: string, call: () => Promise<ActionResult<unknown>>, allowed: number][] = [
  ['saveBranding', () => branding.saveBrandingAction({ ...late, ...anyBranding }), 409],
  ['resetBranding', () => branding.resetBrandingAction(late), 409],
  ['setFlag', () => flags.setFlagAction({ ...late, name: 'packages', isOn: false }), 409],
  ['createFeature', () => features.createFeatureAction({ name: '', description: '' }), 400],
  ['updateFeature', () => features.updateFeatureAction({ ...nothing, name: 'A', description: '' }), 404],
  ['deleteFeature', () => features.deleteFeatureAction(nothing), 404],
  ['createApiKey', () => apiManager.createApiKeyAction({ name: 'A', provider: 'Moz', key: 'short' }), 400],
  ['updateApiKey', () => apiManager.updateApiKeyAction({ ...nothing, name: 'A', provider: 'Moz', key: '' }), 404],
  ['deleteApiKey', () => apiManager.deleteApiKeyAction(nothing), 404],
  ['createAnnouncement', () => notifications.createAnnouncementAction({ ...announced, title: ' ' }), 400],
  ['updateAnnouncement', () => notifications.updateAnnouncementAction({ ...nothing, ...announced }), 404],
  ['deleteAnnouncement', () => notifications.deleteAnnouncementAction(nothing), 404],
  ['saveTwoStepRule', () => signIn.saveTwoStepRuleAction({ ...late, roles: [], graceDays: '7' }), 409],
  [
    'saveStaffSessionRules',
    () => signIn.saveStaffSessionRulesAction({ ...late, idleMinutes: '30', maxHours: '12' }),
    409,
  ],
  ['savePlacementRules', () => placementRules.savePlacementRulesAction({ ...late, ...rules }), 409],
  [
    'savePlacementRules',
    () => placementRules.savePlacementRulesAction({ ...rules, answerHours: 721, version: 0 }),
    400,
  ],
  [
    'savePlacementRules',
    () => placementRules.savePlacementRulesAction({ ...rules, silenceDays: 0.5, version: 0 }),
    400,
  ],
  ['saveDefaultAnchorPlan', () => placementRules.saveDefaultAnchorPlanAction({ ...late, plan: anchorPlan }), 409],
  [
    'saveDefaultAnchorPlan',
    () => placementRules.saveDefaultAnchorPlanAction({ plan: { ...anchorPlan, brand: 44 }, version: 0 }),
    400,
  ],
  ['testIntegration', () => integrations.testIntegrationAction({ name: 'openai' }), 200],
];
const rules = {
  ...{
    answerHours: 72,
    answerReminderHours: 24,
    dayKind: 'calendar' as const,
    deliveryGraceDays: 2,
    deliveryReminderDays: 1,
    lateCancelDays: 14,
  },
  ...{ approveDays: 7, maxRevisions: 3, silenceDays: 3, unreadMailMinutes: 10 },
  ...{ approvalPercent: 40, guaranteeDays: 90, repairDays: 7, checksPerHostHour: 30 },
};
const anchorPlan = { brand: 45, address: 20, generic: 15, partial: 12, exact: 5, image: 3, none: 0 };
const announced = { title: 'A', message: 'B', type: 'info', audience: 'staff' } as const;
const anyBranding = {
  siteName: 'Acme',
  tagline: '',
  primaryColor: '#5547e0',
  secondaryColor: '#0e7490',
  supportEmail: '',
  postalAddress: '',
  signInClaims: '',
};

const bearers = new Map<string, Record<string, string>>();

beforeAll(async () => {
  const others = permissions.filter((permission) => permission !== 'ManageSettings');
  const people = {
    'a buyer': 'User',
    'a seller': 'Seller',
    'staff with every other permission': await makeRole(others),
    'a customer role with ManageSettings': await makeRole(['ManageSettings']),
    'staff with ManageSettings': await makeRole(['AdminDashboard', 'ManageSettings']),
    'an admin': 'Admin',
  };
  bearers.set('a visitor', {});
  for (const [who, role] of Object.entries(people)) bearers.set(who, await bearerOf(role));
});

async function bearerOf(role: string): Promise<Record<string, string>> {
  const { userId } = await makeAccount({ role });
  const id = newId();
  await db()
    .insert(sessions)
    .values({ id, userId, ip: '', userAgent: '', expiresAt: new Date(Date.now() + 600_000) });
  return { authorization: `Bearer ${await encodeSessionToken(userId, id, 600)}` };
}

describe.each(calls)('%s', (_, call, allowed) => {
  it.each([
    ['a visitor', 401],
    ['a buyer', 403],
    ['a seller', 403],
    ['staff with every other permission', 403],
    ['a customer role with ManageSettings', 403],
    ['staff with ManageSettings', allowed],
    ['an admin', allowed],
  ] as const)('returns %s with %i', async (who, status) => {
    const answer = await inRequest(bearers.get(who) ?? {}, call);
    expect(answer.ok ? 200 : answer.status).toBe(status);
  });
});
