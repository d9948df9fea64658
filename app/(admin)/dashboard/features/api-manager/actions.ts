'use server';

import { action } from '@/lib/auth/action';
import { createApiKey } from '@/lib/settings/api-keys/create';
import { deleteApiKey } from '@/lib/settings/api-keys/delete';
import { createApiKeyInput, deleteApiKeyInput, updateApiKeyInput } from '@/lib/settings/api-keys/schemas';
import { updateApiKey } from '@/lib/settings/api-keys/update';

const access = 'ManageSettings';

export const createApiKeyAction = action({ access, input: createApiKeyInput }, createApiKey);
export const updateApiKeyAction = action({ access, input: updateApiKeyInput }, updateApiKey);
export const deleteApiKeyAction = action({ access, input: deleteApiKeyInput }, deleteApiKey);
