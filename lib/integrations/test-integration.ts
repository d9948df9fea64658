import { z } from 'zod';
import type { Actor } from '../auth/actor';
import { consumeLimit } from '../limits/consume';
import { getProviderSettings } from '../payments/admin-config';
import { type ConnectionResult, testConnection } from '../payments/test-connection';
import { integrationNames } from './names';
import { testMail } from './test-mail';
import { testOpenAi } from './test-open-ai';
import { testScanner } from './test-scanner';
import { testStore } from './test-store';

export const testIntegrationInput = z.object({ name: z.enum(integrationNames) });

/**
 * Asks a service whether it works with what is set up, by a call that leaves nothing behind (a mail to oneself is all
 * that stays). What goes wrong there is an answer, not an error.
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
      const { modeInForce } = await getProviderSettings(name);
      if (!modeInForce) return { ok: false, message: 'No mode is in force yet.' };
      return testConnection(name, modeInForce);
    }
    case 'resend':
      return testMail(actor);
    case 's3':
      return testStore();
    case 'clamd':
      return testScanner();
    case 'openai':
      return testOpenAi();
  }
}
