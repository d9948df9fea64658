'use server';

import { createFeature } from '@/lib/features/create';
import { deleteFeature } from '@/lib/features/delete';
import { createFeatureInput, deleteFeatureInput, updateFeatureInput } from '@/lib/features/schemas';
import { updateFeature } from '@/lib/features/update';
import { action } from '@/lib/http/action';

const access = 'ManageSettings';

export const createFeatureAction = action({ access, input: createFeatureInput }, createFeature);
export const updateFeatureAction = action({ access, input: updateFeatureInput }, updateFeature);
export const deleteFeatureAction = action({ access, input: deleteFeatureInput }, deleteFeature);
