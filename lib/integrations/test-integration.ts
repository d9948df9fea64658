import { Readable } from 'node:stream';
import { render } from '@react-email/render';
import { createElement } from 'react';
import { z } from 'zod';
import type { Actor } from '@/lib/access/actor';
import { testTelegramBot } from '@/lib/developers/webhooks/chats/telegram';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids';
import { getMailProvider, sendMail } from '@/lib/mail/send';
import { TestMail } from '@/lib/mail/templates/staff';
import { getProviderSettings } from '@/lib/payments/config/admin-config';
import { type ConnectionResult, testConnection } from '@/lib/payments/providers/test-connection';
import { log } from '@/lib/platform/log/log';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { scanWithClamd } from '@/lib/platform/storage/clamd';
import { spool } from '@/lib/platform/storage/spool';
import { testStore } from '@/lib/platform/storage/store';
import { getApiKey } from '@/lib/settings/api-keys';
import { getBranding } from '@/lib/settings/branding/get-branding';
import {
  getMailService,
  getScannerService,
  getStoreService,
  recordAnswer,
  type Service,
} from '@/lib/settings/service-answers';
import { testAhrefsKey } from '@/lib/sites/domain-figures/ahrefs/refresh-domain-ratings';

/** The external services that the app can use. */
const integrationNames = [
  'stripe',
  'paypal',
  'wechat',
  'resend',
  'smtp',
  's3',
  'clamd',
  'openai',
  'ahrefs',
  'telegram',
] as const;
export type IntegrationName = (typeof integrationNames)[number];

export const testIntegrationInput = z.object({ name: z.enum(integrationNames) });

/**
 * Tests a service with its current configuration, by a call without lasting effects (except a test mail to the actor). A
 * failure of the service is a result, not an error.
 * @throws AppError rate_limited after too many tests
 */
export async function testIntegration(
  actor: Actor,
  { name }: z.output<typeof testIntegrationInput>,
): Promise<ConnectionResult> {
  await consumeLimit('testIntegration', { account: actor.userId, address: actor.ip });
  switch (name) {
    case 'stripe':
    case 'paypal':
    case 'wechat': {
      const { activeMode } = await getProviderSettings(name);
      if (!activeMode) return { ok: false, message: 'No mode is active yet.' };
      return testConnection(name, activeMode);
    }
    case 'resend':
    case 'smtp':
      return recorded(getMailService(), testMail(actor));
    case 's3':
      return recorded(getStoreService(), testStore());
    case 'clamd':
      return recorded(getScannerService(), testScanner());
    case 'openai': {
      const stored = await getApiKey('OpenAI');
      if (stored === null) return { ok: false, message: 'No OpenAI key is stored, or it cannot be decrypted.' };
      return recorded(stored.service, testOpenAi(stored.key));
    }
    case 'ahrefs': {
      const stored = await getApiKey('Ahrefs');
      if (stored === null) return { ok: false, message: 'No Ahrefs key is stored, or it cannot be decrypted.' };
      return recorded(stored.service, testAhrefsKey(stored));
    }
    case 'telegram': {
      const stored = await getApiKey('Telegram');
      if (stored === null) return { ok: false, message: 'No Telegram token is stored, or it cannot be decrypted.' };
      const { ok, message } = await testTelegramBot(stored.key);
      return recorded(stored.service, Promise.resolve({ ok, message }));
    }
  }
}

/** Stores a result as the service's last answer. */
async function recorded(service: Service, test: Promise<ConnectionResult>): Promise<ConnectionResult> {
  const result = await test;
  await recordAnswer(service, result);
  return result;
}

/** Sends a mail to the actor directly instead of queueing it, so that the provider's response is available. */
async function testMail({ email }: Actor): Promise<ConnectionResult> {
  const branding = await getBranding();
  const element = createElement(TestMail, { branding, appUrl: env().APP_URL });
  const [html, text] = await Promise.all([render(element), render(element, { plainText: true })]);
  const subject = `Test email from ${branding.siteName}`;
  const mail = { id: newId(), to: email, subject, html, text, createdAt: new Date() };
  const result = await sendMail(mail, { isTest: true });
  const name = getMailProvider() === 'SMTP' ? 'The SMTP server' : 'Resend';
  if (result.outcome === 'sent')
    return { ok: true, message: `${name} accepted an email to ${email}. Check the inbox.` };
  return { ok: false, message: `${name} did not accept the email: ${result.error}`.slice(0, 300) };
}

const timeoutMs = 10_000;

/** Requests the list of models, which requires the key and is free (OpenAI API reference, "List models"). */
async function testOpenAi(key: string): Promise<ConnectionResult> {
  try {
    const response = await fetch(`${env().OPENAI_BASE_URL ?? 'https://api.openai.com/v1'}/models`, {
      headers: { Authorization: `Bearer ${key}` },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    if (response.ok) return { ok: true, message: 'OpenAI accepts the key.' };
    if (response.status === 401) return { ok: false, message: 'OpenAI does not recognize this key.' };
    return { ok: false, message: `OpenAI responded with status ${response.status}.` };
  } catch (thrown) {
    log().error({ err: thrown }, 'OpenAI failed its test.');
    return { ok: false, message: 'OpenAI could not be reached.' };
  }
}

/** Scans a harmless file. */
async function testScanner(): Promise<ConnectionResult> {
  const address = env().CLAMD_ADDRESS;
  if (!address) return { ok: false, message: 'CLAMD_ADDRESS is not set.' };
  const harmless = Readable.from([Buffer.from('Nothing to find here.')]);
  try {
    const found = await spool(harmless, 1_000, ({ path }) =>
      scanWithClamd(address, path, AbortSignal.timeout(timeoutMs)),
    );
    if (found === null) return { ok: true, message: 'ClamAV scanned a file and found it clean.' };
    return { ok: false, message: `ClamAV reports ${found} in a harmless file.` };
  } catch (thrown) {
    log().error({ err: thrown }, 'The virus scanner failed its test.');
    return { ok: false, message: 'ClamAV did not respond. Uploads are refused until it does.' };
  }
}
