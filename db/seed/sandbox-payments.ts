import { systemActor } from '../../lib/auth/actor';
import { activeModes, savePaymentConfig } from '../../lib/payments/config';

/**
 * Lets the demo's wallets be topped up at the sandbox gateway, which accepts any test key and signs its webhooks with
 * the given secret. What an admin entered since stays.
 */
export async function seedSandboxPayments(webhookSecret: string | undefined): Promise<void> {
  if (!webhookSecret || (await activeModes()).has('stripe')) return;
  await savePaymentConfig(systemActor('Demo', 'script'), {
    provider: 'stripe',
    mode: 'test',
    fields: { publishable_key: 'pk_test_sandbox_of_the_demo' },
    secrets: { secret_key: 'sk_test_sandbox_of_the_demo', webhook_secret: webhookSecret },
  });
}
