import type { SecretSlot } from '../payments/secrets';

/** Binds an authenticator's sealed secret to its person. */
export const totpSlot = (userId: string): SecretSlot => ({ provider: 'totp', mode: userId, field: 'secret' });
