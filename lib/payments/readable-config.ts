import type { PaymentProviderName, ProviderMode } from '../../db/schema/topups';
import { type PaymentConfig, paymentConfigOf } from './config';
import { UnreadableSecret } from './secrets';

/** For the admin, who can mend it. */
export const unreadableText =
  'The stored secrets cannot be decrypted: SECRET_KEYS has lost the key they were stored with. Put it back, or enter them again.';

/** What was entered for a provider and mode, null for nothing, or that its secrets do not open any more. */
export async function readableConfig(
  provider: PaymentProviderName,
  mode: ProviderMode,
): Promise<PaymentConfig | 'unreadable' | null> {
  try {
    return await paymentConfigOf(provider, mode);
  } catch (thrown) {
    if (thrown instanceof UnreadableSecret) return 'unreadable';
    throw thrown;
  }
}
