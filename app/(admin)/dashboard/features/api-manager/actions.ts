'use server';

import { createApiKey } from '@/lib/api-keys/create';
import { deleteApiKey } from '@/lib/api-keys/delete';
import { createApiKeyInput, deleteApiKeyInput, updateApiKeyInput } from '@/lib/api-keys/schemas';
import { updateApiKey } from '@/lib/api-keys/update';
import { action } from '@/lib/http/action';

const access = 'ManageSettings';

export const createApiKeyAction = action({ access, input: createApiKeyInput }, createApiKey);
export const updateApiKeyAction = action({ access, input: updateApiKeyInput }, updateApiKey);
export const deleteApiKeyAction = action({ access, input: deleteApiKeyInput }, deleteApiKey);
