import type { Executor } from '@/db/client';
import { apiKeys } from '@/db/schema/api-keys';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids';
import { sealSecret } from '@/lib/platform/secrets';
import { apiKeySlot } from '@/lib/settings/api-keys';

/** A key that the sandbox accepts. */
const key = 'ahrefs-sandbox-demo';

/** Stores the demo's Ahrefs key. Not in tests, where a measured rating would replace the ones they enter. */
export async function seedAhrefsKey(tx: Executor): Promise<void> {
  if (env().APP_ENV !== 'demo') return;
  const id = newId();
  await tx.insert(apiKeys).values({
    id,
    name: 'Domain ratings (sandbox)',
    provider: 'Ahrefs',
    sealedKey: sealSecret(apiKeySlot(id), key),
    lastFour: key.slice(-4),
  });
}
