import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { backups } from '@/db/schema/backups';
import { orders } from '@/db/schema/orders';
import { sites } from '@/db/schema/sites';
import { type PaymentProviderName, type ProviderMode, paymentProviders, webhookEvents } from '@/db/schema/topups';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { type Access, mayAccess } from '@/lib/access/authorize';
import { hasSecondFactor } from '@/lib/auth/two-step';
import { env } from '@/lib/env';
import { getMailProvider } from '@/lib/mail/send';
import { getPaymentService, getProviderSettings } from '@/lib/payments/config/admin-config';
import { providerNames } from '@/lib/payments/providers/names';
import { recordAudit } from '@/lib/platform/audit/record';
import { versionField } from '@/lib/platform/http/fields';
import { defaultBranding } from '@/lib/settings/branding/branding';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { listRateIssues, staleDays } from '@/lib/settings/ecb-rates';
import {
  getMailService,
  jobRunner,
  readAnswers,
  type Service,
  type ServiceAnswer,
} from '@/lib/settings/service-answers';
import { getSettings, parseSetting, saveSetting } from '@/lib/settings/settings';
import { readOperator, toDocumentSeller } from '@/lib/tax/operator';

/** A step of the setup of an installation, whose state is read from what happened. */
export type SetupStep = {
  title: string;
  done: boolean;
  /** What is missing, or what was found. */
  detail: string;
  /** The screen that completes the step; null if the environment does. */
  href: string | null;
  /** Who sees and completes the step. */
  access: Access;
  test?: { kind: 'mail' } | { kind: 'payment'; provider: PaymentProviderName; mode: ProviderMode };
};

/** The age of the last run of the jobs from which on they are taken for stopped. The slowest cron calls every five minutes. */
const jobsStopMs = 10 * 60_000;

const features = '/dashboard/features';

/** Lists the steps of the setup that the actor can complete. */
export async function listSetupSteps(actor: Actor): Promise<SetupStep[]> {
  const answerOf = await readAnswers();
  const steps = await Promise.all([
    paymentStep(answerOf),
    webhookStep(),
    brandingSteps(),
    identityStep(),
    ratesStep(),
    sitesStep(),
    backupStep(),
    twoStepStep(actor),
  ]);
  return [mailStep(answerOf), ...steps.flat(), jobsStep(answerOf), tlsStep()].filter(({ access }) =>
    mayAccess(actor, access),
  );
}

type AnswerOf = (service: Service) => ServiceAnswer | null;

function mailStep(answerOf: AnswerOf): SetupStep {
  const answer = answerOf(getMailService());
  const isConfigured = getMailProvider() !== null;
  return {
    title: 'Send emails',
    done: answer?.ok ?? false,
    detail: !isConfigured
      ? 'Set RESEND_API_KEY or SMTP_URL, and MAIL_FROM, in the environment.'
      : answer === null
        ? 'Send a test email to yourself.'
        : answer.message,
    href: `${features}/integrations`,
    access: 'ManageSettings',
    ...(isConfigured && { test: { kind: 'mail' as const } }),
  };
}

/** The provider that works, or else the one that answered worst, or else none. */
async function paymentStep(answerOf: AnswerOf): Promise<SetupStep> {
  const all = await Promise.all(paymentProviders.map((provider) => getProviderSettings(provider)));
  const active = all.flatMap((settings) => {
    const { provider, activeMode } = settings;
    if (!activeMode) return [];
    return [{ provider, mode: activeMode, answer: answerOf(getPaymentService(settings, activeMode)) }];
  });
  const best = active.find(({ answer }) => answer?.ok) ?? active.find(({ answer }) => answer) ?? active[0];
  return {
    title: 'Accept payments',
    done: best?.answer?.ok ?? false,
    detail: best
      ? (best.answer?.message ?? `Test the connection to ${providerNames[best.provider]}.`)
      : 'Set up Stripe, PayPal or WeChat Pay.',
    href: best ? `${features}/payments?tab=${best.provider}` : `${features}/payments`,
    access: 'ManagePayments',
    ...(best && { test: { kind: 'payment' as const, provider: best.provider, mode: best.mode } }),
  };
}

async function webhookStep(): Promise<SetupStep> {
  const done = await exists(db().select({ one: sql`1` }).from(webhookEvents).limit(1));
  return {
    title: 'Receive a notification of a payment',
    done,
    detail: done ? 'Notifications arrive.' : 'Register the webhook URL with the provider and make one payment.',
    href: `${features}/payments`,
    access: 'ManagePayments',
  };
}

async function brandingSteps(): Promise<SetupStep[]> {
  const { siteName, logo, legal } = await getBranding();
  const missing = [legal.terms ? [] : 'the terms of service', legal.privacy ? [] : 'the privacy policy'].flat();
  const href = `${features}/branding`;
  return [
    {
      title: 'Add your brand',
      done: siteName !== defaultBranding.siteName || logo !== null,
      detail: 'Enter the name of your marketplace, or upload a logo.',
      href,
      access: 'ManageSettings',
    },
    {
      title: 'Publish terms and privacy policy',
      done: missing.length === 0,
      detail: missing.length === 0 ? 'Both are published.' : `Publish ${missing.join(' and ')}.`,
      href,
      access: 'ManageSettings',
    },
  ];
}

async function identityStep(): Promise<SetupStep> {
  const { operator } = await readOperator();
  return {
    title: 'Enter who issues the invoices',
    done: toDocumentSeller(operator) !== null && operator.street !== '' && operator.city !== '',
    detail: 'Enter your legal name and address. Invoices show them.',
    href: `${features}/tax`,
    access: 'ManageSettings',
  };
}

async function ratesStep(): Promise<SetupStep> {
  const { held, stale, isEmpty } = await listRateIssues();
  const open = [...new Set([...stale, ...held.map(({ currency }) => currency)])];
  return {
    title: 'Keep exchange rates current',
    done: !isEmpty && open.length === 0,
    detail: isEmpty
      ? 'There are no rates yet: turn on the daily rates, or enter them.'
      : open.length > 0
        ? `Check ${open.join(', ')}: a rate must be younger than ${staleDays} days.`
        : `All rates are younger than ${staleDays} days.`,
    href: `${features}/payments`,
    access: 'ManagePayments',
  };
}

async function sitesStep(): Promise<SetupStep> {
  const listed = and(eq(sites.status, 'Approved'), isNull(sites.deletedAt), sql`${sites.publicPriceUsdCents} > 0`);
  return {
    title: 'Approve the first sites',
    done: await exists(db().select({ one: sql`1` }).from(sites).where(listed).limit(1)),
    detail: 'Add or import sites, and approve them with a public price.',
    href: `${features}/guest-posts`,
    access: 'ManageSites',
  };
}

async function backupStep(): Promise<SetupStep> {
  const complete = and(eq(backups.status, 'complete'), ne(backups.origin, 'uploaded'));
  return {
    title: 'Make a backup',
    done: await exists(db().select({ one: sql`1` }).from(backups).where(complete).limit(1)),
    detail: 'Create a backup, and store SECRET_KEYS in another place.',
    href: `${features}/backup`,
    access: 'ManageBackups',
  };
}

async function twoStepStep({ userId }: Actor): Promise<SetupStep> {
  return {
    title: 'Turn on two-step sign-in for your account',
    done: await exists(
      db()
        .select({ one: sql`1` })
        .from(users)
        .where(and(eq(users.id, userId), hasSecondFactor)),
    ),
    detail: 'Add an authenticator app or a passkey.',
    href: '/dashboard/security',
    access: 'AdminDashboard',
  };
}

function jobsStep(answerOf: AnswerOf): SetupStep {
  const last = answerOf(jobRunner);
  const done = last !== null && Date.now() - last.at.getTime() < jobsStopMs;
  return {
    title: 'Run the background jobs',
    done,
    detail: done
      ? 'The jobs run.'
      : 'No job ran in the last ten minutes. npm start runs them unless JOBS=off; elsewhere a cron calls /api/jobs/run with CRON_SECRET.',
    href: null,
    access: 'ManageSettings',
  };
}

/** With https in APP_URL the session's cookie is sent over https only, so that this request came that way. */
function tlsStep(): SetupStep {
  const done = env().APP_URL.startsWith('https://');
  return {
    title: 'Serve the site over https',
    done,
    detail: done
      ? 'APP_URL begins with https.'
      : 'Set APP_URL to an https address, with a proxy that has a certificate.',
    href: null,
    access: 'ManageSettings',
  };
}

async function exists(rows: PromiseLike<unknown[]>): Promise<boolean> {
  return (await rows).length > 0;
}

/** Checks whether the installation has neither sites nor orders, so that it cannot have tasks. */
export async function isEmptyInstallation(): Promise<boolean> {
  const [site, order] = await Promise.all([
    exists(db().select({ one: sql`1` }).from(sites).limit(1)),
    exists(db().select({ one: sql`1` }).from(orders).limit(1)),
  ]);
  return !site && !order;
}

export const setupChecklistKey = 'setup-checklist';
const stored = z.object({ isHidden: z.boolean() });

/** Returns whether staff have hidden the checklist, with the version for an edit. */
export async function readSetupVisibility(): Promise<{ isHidden: boolean; version: number }> {
  const { value, version } = parseSetting(await getSettings(), setupChecklistKey, stored, { isHidden: false });
  return { ...value, version };
}

export const setupVisibilityInput = stored.extend({ version: versionField });

/**
 * Hides the checklist from all staff, or shows it again.
 * @throws AppError conflict for a stale `version`
 */
export async function saveSetupVisibility(
  actor: Actor,
  { isHidden, version }: z.output<typeof setupVisibilityInput>,
): Promise<void> {
  await db().transaction(async (tx) => {
    await saveSetting(tx, actor, { key: setupChecklistKey, value: { isHidden }, version, name: 'The setup checklist' });
    await recordAudit(tx, actor, {
      action: 'setup_checklist.set',
      details: `The setup checklist was ${isHidden ? 'hidden' : 'shown again'}.`,
      entityType: 'setting',
      entityId: setupChecklistKey,
      after: { isHidden },
    });
  });
}
