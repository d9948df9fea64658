import { z } from 'zod';

/** POST /api/tools/seo/suggest. */
export const suggestionAnswer = z
  .object({ title: z.string(), description: z.string(), source: z.enum(['model', 'rules']).describe('Who wrote it.') })
  .meta({ title: 'Suggestion' });
