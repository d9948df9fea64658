import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { backups } from '@/db/schema/backups';
import { serviceAnswers } from '@/db/schema/service-answers';
import { exchangeRates } from '@/db/schema/settings';
import { webhookEvents } from '@/db/schema/topups';
import { users } from '@/db/schema/users';
import { type Actor, systemActor } from '@/lib/access/actor';
import { isEmptyInstallation, listSetupSteps } from '@/lib/dashboard/setup-checklist';
import { newId } from '@/lib/ids';
import { getPaymentService, getProviderSettings } from '@/lib/payments/config/admin-config';
import { savePaymentConfig } from '@/lib/payments/config/config';
import { defaultBranding } from '@/lib/settings/branding/branding';
import { saveBranding } from '@/lib/settings/branding/save-branding';
import { saveBrandingInput } from '@/lib/settings/branding/schemas';
import { publishLegalDocument } from '@/lib/settings/legal/documents';
import { getMailService, jobRunner, recordAnswer } from '@/lib/settings/service-answers';
import { saveOperator } from '@/lib/tax/save-operator';
import { makeSite } from '@/tests/factories/make-site';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';

const script = systemActor('Test', 'script');
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const doneOf = async (actor: Actor) =>
  (await listSetupSteps(actor)).flatMap(({ title, done }) => (done ? [title] : []));

it('turns a step green by what happened, and red again when it no longer holds', async () => {
  const admin = await makeUser('Admin');
  expect(await listSetupSteps(admin)).toHaveLength(12);
  expect(await doneOf(admin)).toEqual([]);
  expect(await isEmptyInstallation()).toBe(true);

  const ok = { ok: true, message: 'Yes.' };
  const refused = { ok: false, message: 'The key is unknown.' };
  const enterStripe = () =>
    savePaymentConfig(script, {
      provider: 'stripe',
      mode: 'test',
      fields: { publishable_key: 'pk_test_1' },
      secrets: { secret_key: 'sk_test_1', webhook_secret: 'whsec_1' },
    });
  const stripe = async () => getPaymentService(await getProviderSettings('stripe'), 'test');
  const rate = { currency: 'EUR', usdMicrosPerUnit: 1_100_000 } as const;
  const event = { provider: 'stripe', mode: 'test', eventId: '1', type: 'test', payload: {} } as const;
  const backup = { id: newId(), fileName: 'a', origin: 'scheduled', withFiles: false, createdBy: admin.email } as const;
  const seller = await makeUser('Seller');

  /** What happens, and the steps that it turns green (+) or red (-). */
  const story: [what: () => Promise<unknown>, turned: string][] = [
    [() => recordAnswer(getMailService(), refused), ''],
    [() => recordAnswer(getMailService(), ok), '+Send emails'],
    [() => recordAnswer(getMailService(), refused), '-Send emails'],
    [enterStripe, ''],
    [async () => recordAnswer(await stripe(), refused), ''],
    [async () => recordAnswer(await stripe(), ok), '+Accept payments'],
    [enterStripe, '-Accept payments'],
    [
      () =>
        db()
          .insert(webhookEvents)
          .values({ id: newId(), ...event }),
      '+Receive a notification of a payment',
    ],
    [
      () => saveBranding(admin, saveBrandingInput.parse({ ...defaultBranding, version: 0, siteName: 'Acme' })),
      '+Add your brand',
    ],
    [() => publishLegalDocument(admin, { kind: 'terms', text: 'Be kind.', version: 0 }), ''],
    [
      () => publishLegalDocument(admin, { kind: 'privacy', text: 'We keep nothing.', version: 0 }),
      '+Publish terms and privacy policy',
    ],
    [() => saveOperator(admin, { name: 'Example GmbH', country: 'DE' }), ''],
    [() => saveOperator(admin, { street: 'Main Street 1', city: 'Berlin' }), '+Enter who issues the invoices'],
    [
      () =>
        db()
          .insert(exchangeRates)
          .values({ id: newId(), ...rate, effectiveAt: daysAgo(8) }),
      '',
    ],
    [
      () =>
        db()
          .insert(exchangeRates)
          .values({ id: newId(), ...rate }),
      '+Keep exchange rates current',
    ],
    [() => makeSite(seller.userId, 1_000, { status: 'Pending' }), ''],
    [() => makeSite(seller.userId, 1_000), '+Approve the first sites'],
    [() => db().insert(backups).values(backup), ''],
    [() => db().update(backups).set({ status: 'complete' }).where(eq(backups.id, backup.id)), '+Make a backup'],
    [
      () => db().update(users).set({ totpEnabledAt: new Date() }).where(eq(users.id, admin.userId)),
      '+Turn on two-step sign-in for your account',
    ],
    [() => recordAnswer(jobRunner, ok), '+Run the background jobs'],
    [
      () =>
        db()
          .update(serviceAnswers)
          .set({ answeredAt: daysAgo(1) })
          .where(eq(serviceAnswers.name, 'jobs')),
      '-Run the background jobs',
    ],
  ];
  let green: string[] = [];
  for (const [happen, turned] of story) {
    await happen();
    const now = await doneOf(admin);
    const changes = [
      ...now.filter((title) => !green.includes(title)).map((title) => `+${title}`),
      ...green.filter((title) => !now.includes(title)).map((title) => `-${title}`),
    ];
    expect(changes.join(), turned || happen.toString()).toBe(turned);
    green = now;
  }
  expect(await isEmptyInstallation()).toBe(false);
  expect(await doneOf(await makeUser('Admin'))).not.toContain('Turn on two-step sign-in for your account');
});

it('shows staff only the steps that they can complete', async () => {
  const titlesOf = async (...permissions: Parameters<typeof makeStaff>) =>
    (await listSetupSteps(await makeStaff(...permissions))).map(({ title }) => title);
  const own = 'Turn on two-step sign-in for your account';
  expect(await titlesOf('ManageSites')).toEqual(['Approve the first sites', own]);
  expect(await titlesOf('ManageBackups')).toEqual(['Make a backup', own]);
  expect(await titlesOf('ManageOrders')).toEqual([own]);
});
