import type { PaymentProviderName, ProviderMode } from '../../db/schema/topups';
import { AppError } from '../errors';
import type { PaymentConfig } from './config';
import { providerNames } from './names';
import { readableConfig, unreadableText } from './readable-config';
import { testPayPal } from './test-paypal';
import { testStripe } from './test-stripe';
import { testWeChat } from './test-wechat';

/** What came of it, in words for the admin. */
export type ConnectionResult = { ok: boolean; message: string };

/** Long enough for a provider on another continent, short enough to wait for. */
const timeoutMs = 10_000;

type Check = (config: PaymentConfig, timeoutMs: number) => Promise<ConnectionResult>;
const checks: Record<PaymentProviderName, Check> = { stripe: testStripe, paypal: testPayPal, wechat: testWeChat };

/**
 * Asks a provider whether it accepts what is saved for a mode, by a call that changes nothing there. Whatever goes
 * wrong outside this house is an answer, not an error.
 */
export async function testConnection(provider: PaymentProviderName, mode: ProviderMode): Promise<ConnectionResult> {
  const config = await readableConfig(provider, mode);
  if (config === 'unreadable') return { ok: false, message: unreadableText };
  if (!config) return { ok: false, message: `Nothing is saved for ${mode} mode yet.` };
  try {
    return await checks[provider](config, timeoutMs);
  } catch (thrown) {
    const name = providerNames[provider];
    if (thrown instanceof AppError) return { ok: false, message: thrown.message };
    if (isTimeout(thrown)) return { ok: false, message: `${name} did not answer within ${timeoutMs / 1000} seconds.` };
    if (isNetworkFailure(thrown)) return { ok: false, message: `${name} could not be reached.` };
    throw thrown;
  }
}

const isTimeout = (thrown: unknown) => thrown instanceof Error && thrown.name === 'TimeoutError';
/** `fetch` reports a refused connection, an unknown host and a redirect alike, and an answer that breaks off so. */
const isNetworkFailure = (thrown: unknown) =>
  thrown instanceof TypeError && ['fetch failed', 'terminated'].includes(thrown.message);
