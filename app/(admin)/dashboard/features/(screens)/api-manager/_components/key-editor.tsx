'use client';

import { ActionEditor } from '@/components/form/action-editor';
import { getFormText } from '@/components/form/fields';
import { apiKeyProviders } from '@/db/enums';
import { ApiError } from '@/lib/browser/api-client';
import { createApiKeyAction, deleteApiKeyAction, updateApiKeyAction } from '@/lib/settings/actions';
import type { ApiKeyView } from '@/lib/settings/api-keys';

/** Edits or deletes an API key. Null: adds one. */
export function KeyActions({ apiKey }: { apiKey: ApiKeyView | null }) {
  return (
    <ActionEditor
      record={apiKey}
      noun="key"
      subject={`${apiKey?.provider} key`}
      consequence={
        apiKey?.isInUse
          ? 'This key is in use. Tools switch to this provider’s next newest key, if there is one.'
          : 'The key can’t be recovered.'
      }
      valuesOf={(data) => {
        const provider = apiKeyProviders.find((known) => known === getFormText(data, 'provider'));
        if (!provider) throw new ApiError(400, 'Choose a provider.', { provider: 'Choose a provider.' });
        return { name: getFormText(data, 'name').trim(), provider, key: getFormText(data, 'key') };
      }}
      create={createApiKeyAction}
      update={updateApiKeyAction}
      remove={deleteApiKeyAction}
      labels={{ name: 'Name', provider: 'Provider', lastFour: 'Key, ending in' }}
      description={apiKey ? undefined : 'Keys are encrypted before they’re stored.'}
      fields={(row) => [
        { name: 'name', label: 'Name', required: true, maxLength: 80 },
        {
          name: 'provider',
          label: 'Provider',
          required: true,
          placeholder: 'Choose a provider',
          options: apiKeyProviders,
        },
        {
          name: 'key',
          label: row ? 'New key' : 'Key',
          type: 'password',
          required: !row,
          autoComplete: 'new-password',
          spellCheck: false,
          maxLength: 500,
          hint: row ? `Leave empty to keep the key ending in ${row.lastFour}.` : undefined,
        },
      ]}
    />
  );
}
