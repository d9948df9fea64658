import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { exchangeRates } from '@/db/schema/settings';
import { systemActor } from '@/lib/access/actor';
import type { Env } from '@/lib/env';
import { newId } from '@/lib/ids';
import { getActiveModes, type PaymentConfig, savePaymentConfig } from '@/lib/payments/config/config';

type Sandbox = Pick<Env, Extract<keyof Env, `SANDBOX_${string}`>>;
type Given = Pick<PaymentConfig, 'provider' | 'mode'> & {
  fields: Record<string, string | undefined>;
  secrets: Record<string, string | undefined>;
};

/** The demo's exchange rate for WeChat Pay: millionths of a USD for one CNY. */
const cnyInUsdMicros = 139_000;

/**
 * Configures the payment providers for the sandbox gateway, with the accounts that the gateway accepts. A provider that
 * is already configured stays unchanged.
 */
export async function seedSandboxPayments(sandbox: Sandbox): Promise<void> {
  const actor = systemActor('Demo', 'script');
  const modes = await getActiveModes();
  for (const { provider, mode, fields, secrets } of accountsOf(sandbox)) {
    if (modes.has(provider) || !isComplete(fields) || !isComplete(secrets)) continue;
    await savePaymentConfig(actor, { provider, mode, fields, secrets });
    if (provider === 'wechat') await seedCnyRate();
  }
}

function accountsOf(sandbox: Sandbox): Given[] {
  return [
    {
      provider: 'stripe',
      mode: 'test',
      // The gateway accepts any test key.
      fields: { publishable_key: 'pk_test_sandbox_of_the_demo' },
      secrets: {
        secret_key: 'sk_test_sandbox_of_the_demo',
        webhook_secret: sandbox.SANDBOX_STRIPE_WEBHOOK_SECRET,
      },
    },
    {
      provider: 'paypal',
      mode: 'sandbox',
      fields: { client_id: sandbox.SANDBOX_PAYPAL_CLIENT_ID, webhook_id: sandbox.SANDBOX_PAYPAL_WEBHOOK_ID },
      secrets: { client_secret: sandbox.SANDBOX_PAYPAL_CLIENT_SECRET },
    },
    {
      provider: 'wechat',
      mode: 'test',
      fields: {
        mchid: sandbox.SANDBOX_WECHAT_MCHID,
        appid: sandbox.SANDBOX_WECHAT_APPID,
        serial_no: sandbox.SANDBOX_WECHAT_SERIAL_NO,
        public_key_id: sandbox.SANDBOX_WECHAT_PUBLIC_KEY_ID,
        public_key: sandbox.SANDBOX_WECHAT_PUBLIC_KEY,
      },
      secrets: {
        api_v3_key: sandbox.SANDBOX_WECHAT_API_V3_KEY,
        private_key: sandbox.SANDBOX_WECHAT_PRIVATE_KEY,
      },
    },
  ];
}

const isComplete = (values: Record<string, string | undefined>): values is Record<string, string> =>
  Object.values(values).every((value) => value !== undefined);

async function seedCnyRate(): Promise<void> {
  const known = await db().select().from(exchangeRates).where(eq(exchangeRates.currency, 'CNY')).limit(1);
  if (known.length > 0) return;
  await db().insert(exchangeRates).values({ id: newId(), currency: 'CNY', usdMicrosPerUnit: cnyInUsdMicros });
}
