import { z } from 'zod';
import { versionField } from '@/lib/platform/http/fields';

export const createHighlightInput = z.object({
  name: z.string().trim().min(1, 'Enter a name.').max(80, 'The name can have at most 80 characters.'),
  description: z.string().trim().max(300, 'The description can have at most 300 characters.'),
});
export type CreateHighlightInput = z.output<typeof createHighlightInput>;

export const updateHighlightInput = createHighlightInput.extend({
  id: z.string(),
  version: versionField,
});
export type UpdateHighlightInput = z.output<typeof updateHighlightInput>;

export const deleteHighlightInput = updateHighlightInput.pick({ id: true, version: true });
export type DeleteHighlightInput = z.output<typeof deleteHighlightInput>;
