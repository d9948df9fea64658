import { z } from 'zod';

const names = z.array(z.string());

/** GET /api/niches-types. */
export const taxonomyAnswer = z.object({
  niches: names,
  types: names,
  postTypes: names.describe('The same as `types`.'),
});

/** POST /api/niches-types. */
export const addedNameAnswer = z.object({
  ok: z.literal(true),
  added: z.boolean().describe('False for a blank name and for one that is there already.'),
});
