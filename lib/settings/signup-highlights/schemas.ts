import { z } from 'zod';
import { versionField } from '../../platform/http/fields';

export const createFeatureInput = z.object({
  name: z.string().trim().min(1, 'Enter a name.').max(80, 'The name has at most 80 characters.'),
  description: z.string().trim().max(300, 'The description has at most 300 characters.'),
});
export type CreateFeatureInput = z.output<typeof createFeatureInput>;

export const updateFeatureInput = createFeatureInput.extend({
  id: z.string(),
  version: versionField,
});
export type UpdateFeatureInput = z.output<typeof updateFeatureInput>;

export const deleteFeatureInput = updateFeatureInput.pick({ id: true, version: true });
export type DeleteFeatureInput = z.output<typeof deleteFeatureInput>;
