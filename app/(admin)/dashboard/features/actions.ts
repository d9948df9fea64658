'use server';

import { action } from '@/lib/auth/action';
import { createHighlight } from '@/lib/settings/signup-highlights/create';
import { deleteHighlight } from '@/lib/settings/signup-highlights/delete';
import {
  createHighlightInput,
  deleteHighlightInput,
  updateHighlightInput,
} from '@/lib/settings/signup-highlights/schemas';
import { updateHighlight } from '@/lib/settings/signup-highlights/update';

const access = 'ManageSettings';

export const createFeatureAction = action({ access, input: createHighlightInput }, createHighlight);
export const updateFeatureAction = action({ access, input: updateHighlightInput }, updateHighlight);
export const deleteFeatureAction = action({ access, input: deleteHighlightInput }, deleteHighlight);
