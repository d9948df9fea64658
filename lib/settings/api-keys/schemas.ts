import { z } from 'zod';
import { apiKeyProviders } from '@/db/enums';
import { versionField } from '@/lib/platform/http/fields';

const name = z.string().trim().min(1, 'Enter a name.').max(80, 'The name can have at most 80 characters.');
const provider = z.enum(apiKeyProviders, 'Choose a provider.');
const key = z
  .string()
  .trim()
  .min(8, 'The key must have at least 8 characters.')
  .max(500, 'The key can have at most 500 characters.')
  .regex(/^[\x21-\x7e]+$/, 'The key can contain only plain letters, digits and symbols, without spaces.');

export const createApiKeyInput = z.object({ name, provider, key });
export type CreateApiKeyInput = z.output<typeof createApiKeyInput>;

export const updateApiKeyInput = z.object({
  id: z.string(),
  version: versionField,
  name,
  provider,
  /** A new key, or an empty string to keep the stored one. */
  key: z.union([z.literal(''), key]),
});
export type UpdateApiKeyInput = z.output<typeof updateApiKeyInput>;

export const deleteApiKeyInput = updateApiKeyInput.pick({ id: true, version: true });
export type DeleteApiKeyInput = z.output<typeof deleteApiKeyInput>;
