'use server';

import { action } from '@/lib/auth/action';
import { createFeature } from '@/lib/settings/signup-highlights/create';
import { deleteFeature } from '@/lib/settings/signup-highlights/delete';
import { createFeatureInput, deleteFeatureInput, updateFeatureInput } from '@/lib/settings/signup-highlights/schemas';
import { updateFeature } from '@/lib/settings/signup-highlights/update';

const access = 'ManageSettings';

export const createFeatureAction = action({ access, input: createFeatureInput }, createFeature);
export const updateFeatureAction = action({ access, input: updateFeatureInput }, updateFeature);
export const deleteFeatureAction = action({ access, input: deleteFeatureInput }, deleteFeature);
