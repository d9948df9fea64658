import type { ApiKeyProvider } from '@/db/enums';
import { env } from '@/lib/env';
import { mailSender } from '@/lib/mail/send';
import { getPaymentService, getProviderSettings } from '@/lib/payments/config/admin-config';
import { getSandboxUrl, unreadableSecretsText } from '@/lib/payments/config/config';
import { providerNames } from '@/lib/payments/providers/names';
import { getOfferState } from '@/lib/payments/providers/open-provider';
import { findKeyService, getApiKey } from '@/lib/settings/api-keys';
import { isFlagOn } from '@/lib/settings/feature-flags';
import {
  getMailService,
  getScannerService,
  getStoreService,
  readAnswers,
  type Service,
  type ServiceAnswer,
} from '@/lib/settings/service-answers';
import { readRatingBudget } from '@/lib/sites/domain-figures/ahrefs/budget';
import type { IntegrationName } from './test-integration';

/**
 * connected and failed: the last answer of the service to these settings. unchecked: it has not answered to them yet.
 * missing: not configured. off: configured and disabled. broken: misconfigured, so that it cannot be called.
 */
export type IntegrationState = 'connected' | 'failed' | 'unchecked' | 'missing' | 'off' | 'broken';

export type Integration = {
  name: IntegrationName;
  label: string;
  purpose: string;
  state: IntegrationState;
  /** What the configuration says, in one sentence. */
  detail: string;
  /** The last answer of the service to the current settings. */
  answer: ServiceAnswer | null;
  /** The settings screen; null if the integration is configured by environment variables, which `detail` names. */
  setUpHref: string | null;
  canBeTested: boolean;
};

/** Lists every external service with its current state: its configuration, and its last answer. */
export async function listIntegrations(): Promise<Integration[]> {
  const answerOf = await readAnswers();
  const listed = await Promise.all([
    paymentState('stripe', 'Card payments'),
    paymentState('paypal', 'PayPal payments'),
    paymentState('wechat', 'WeChat payments'),
    mailState(),
    storeState(),
    scannerState(),
    openAiState(),
    ahrefsState(),
    telegramState(),
  ]);
  return listed.map(({ service, ...integration }) => {
    const answer = service && integration.state === 'configured' ? answerOf(service) : null;
    const state = integration.state !== 'configured' ? integration.state : stateOf(answer);
    return { ...integration, state, answer };
  });
}

/** Returns the state that the last answer of a configured service shows. */
export const stateOf = (answer: ServiceAnswer | null): 'connected' | 'failed' | 'unchecked' =>
  answer === null ? 'unchecked' : answer.ok ? 'connected' : 'failed';

/** An integration before its last answer is read. `service` is null while it cannot be called. */
type Configuration = Omit<Integration, 'state' | 'answer'> & {
  state: 'configured' | 'missing' | 'off' | 'broken';
  service: Service | null;
};

type Payment = 'stripe' | 'paypal' | 'wechat';

async function paymentState(provider: Payment, purpose: string): Promise<Configuration> {
  const settings = await getProviderSettings(provider);
  const [offer, isOn] = await Promise.all([getOfferState(settings), isFlagOn(`topup-${provider}`)]);
  const { activeMode } = settings;
  const shared = {
    name: provider,
    label: providerNames[provider],
    purpose,
    setUpHref: `/dashboard/features/payments?tab=${provider}`,
    canBeTested: activeMode !== null,
    service: activeMode && getPaymentService(settings, activeMode),
  };
  if (offer === 'unreadable') return { ...shared, state: 'broken', detail: unreadableSecretsText };
  if (offer === 'incomplete') {
    const detail = activeMode ? `Some values are missing for ${activeMode} mode.` : 'Not set up yet.';
    return { ...shared, state: activeMode ? 'broken' : 'missing', detail };
  }
  if (!isOn) return { ...shared, state: 'off', detail: 'Set up, but turned off in Feature Flags.' };
  const where = activeMode && getSandboxUrl(provider, activeMode) ? ', served by the sandbox gateway' : '';
  return { ...shared, state: 'configured', detail: `Offered to buyers in ${activeMode} mode${where}.` };
}

async function mailState(): Promise<Configuration> {
  const { RESEND_API_KEY, RESEND_BASE_URL, SMTP_URL } = env();
  if (SMTP_URL) {
    return {
      name: 'smtp',
      label: 'SMTP',
      purpose: 'Emails',
      state: 'configured',
      service: getMailService(),
      detail: `Sends as ${await mailSender()} through ${SMTP_URL.host}, port ${SMTP_URL.port}.`,
      setUpHref: null,
      canBeTested: true,
    };
  }
  const sandbox = RESEND_BASE_URL ? ', served by the sandbox gateway' : '';
  return {
    name: 'resend',
    label: 'Resend',
    purpose: 'Emails',
    state: RESEND_API_KEY ? 'configured' : 'missing',
    service: getMailService(),
    detail: RESEND_API_KEY
      ? `Sends as ${await mailSender()}${sandbox}.`
      : 'Emails wait in the outbox. Set RESEND_API_KEY or SMTP_URL, and MAIL_FROM, in the environment.',
    setUpHref: null,
    canBeTested: RESEND_API_KEY !== undefined,
  };
}

function storeState(): Configuration {
  const { S3_BUCKET, S3_ENDPOINT } = env();
  return {
    name: 's3',
    label: 'S3 storage',
    purpose: 'Delivered files and backups',
    state: S3_BUCKET ? 'configured' : 'missing',
    service: getStoreService(),
    detail: S3_BUCKET
      ? `Bucket ${S3_BUCKET} at ${new URL(S3_ENDPOINT ?? '').host}.`
      : 'Files are stored in a folder on this machine. To use a bucket, set the S3_ variables in the environment.',
    setUpHref: null,
    canBeTested: true,
  };
}

function scannerState(): Configuration {
  const { CLAMD_ADDRESS } = env();
  return {
    name: 'clamd',
    label: 'ClamAV',
    purpose: 'Scans uploads for malware',
    state: CLAMD_ADDRESS ? 'configured' : 'missing',
    service: getScannerService(),
    detail: CLAMD_ADDRESS
      ? 'Every delivered file is scanned before it is stored.'
      : 'Delivered files are checked by type only. Set CLAMD_ADDRESS in the environment to scan them.',
    setUpHref: null,
    canBeTested: CLAMD_ADDRESS !== undefined,
  };
}

async function openAiState(): Promise<Configuration> {
  return {
    name: 'openai',
    label: 'OpenAI',
    purpose: 'Suggestions in the SERP preview',
    ...(await keyState('OpenAI', {
      used: 'The model writes suggestions, which are kept within the pixel limits.',
      missing: 'Suggestions are generated by rules. Add a key in the API Manager.',
    })),
  };
}

async function ahrefsState(): Promise<Configuration> {
  const [found, { requestsPerDay }] = await Promise.all([
    keyState('Ahrefs', {
      used: 'The Domain Rating of the catalog’s domains is refreshed within the daily budget.',
      missing: 'Domain ratings are those that sellers and staff enter. Add a key in the API Manager.',
    }),
    readRatingBudget(),
  ]);
  const isOff = found.state === 'configured' && requestsPerDay === 0;
  return {
    name: 'ahrefs',
    label: 'Ahrefs',
    purpose: 'Domain Rating by Ahrefs',
    ...found,
    ...(isOff && { state: 'off', detail: 'Set up, but the daily budget in the API Manager is 0.' }),
  };
}

async function telegramState(): Promise<Configuration> {
  return {
    name: 'telegram',
    label: 'Telegram',
    purpose: 'Notifications in a chat',
    ...(await keyState('Telegram', {
      used: 'Users connect their chat with your bot on their Security page.',
      missing: 'Users cannot connect Telegram. Add the token of a bot from @BotFather in the API Manager.',
    })),
  };
}

/** Returns the state of a provider whose key is in the API Manager. */
async function keyState(provider: ApiKeyProvider, texts: { used: string; missing: string }) {
  const stored = await findKeyService(provider);
  const readable = stored ? await getApiKey(provider) : null;
  return {
    state: readable ? ('configured' as const) : stored ? ('broken' as const) : ('missing' as const),
    service: readable?.service ?? null,
    detail: readable
      ? texts.used
      : stored
        ? 'The stored key cannot be decrypted because its encryption key is no longer in SECRET_KEYS. Replace it.'
        : texts.missing,
    setUpHref: '/dashboard/features/api-manager',
    canBeTested: readable !== null,
  };
}
