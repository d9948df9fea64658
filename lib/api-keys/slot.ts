import type { SecretSlot } from '../payments/secrets';

/** Binds a sealed key to its row. */
export const apiKeySlot = (id: string): SecretSlot => ({ provider: 'api-key', mode: id, field: 'key' });
