import { z } from 'zod';
import { serpLengths } from './limits';

const text = (max: number) =>
  z
    .string('Enter text.')
    .max(max, `Use at most ${max.toLocaleString('en-US')} characters.`)
    .nullable()
    .transform((given) => given ?? '')
    .default('');

/** The body of POST /api/tools/seo/suggest. At least one field is required. */
export const suggestBody = z
  .object({
    domain: text(serpLengths.domain),
    slug: text(serpLengths.slug),
    currentTitle: text(serpLengths.title),
    currentDescription: text(serpLengths.description),
    intent: text(serpLengths.intent),
  })
  .refine(
    (given) => Object.values(given).some((value) => value.trim() !== ''),
    'Enter a domain, a title, a description or a search intent first.',
  );

/** The response of POST /api/tools/seo/suggest. */
export const suggestionResponse = z
  .object({
    title: z.string(),
    description: z.string(),
    source: z.enum(['model', 'rules']).describe('The source of the suggestion.'),
  })
  .meta({ title: 'Suggestion' });
