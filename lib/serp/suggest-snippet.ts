import { readApiKey } from '../api-keys/read-api-key';
import type { Actor } from '../auth/actor';
import { requireFlag } from '../flags/read-flags';
import { consumeLimit } from '../limits/consume';
import { askModel } from './ask-model';
import { fitEverywhere } from './fit';
import { type Snippet, type SnippetInput, suggestByRules } from './suggest-by-rules';
import { cleanLine } from './words';

/** A suggestion, and whether the model or the rules made it. */
export type Suggestion = Snippet & { source: 'model' | 'rules' };

/**
 * Suggests a title and a description within the limits of both devices (decision 23): by the model when an OpenAI key
 * is stored, by rules without one and whenever the model gives nothing usable.
 * @throws AppError rate_limited, not_configured while an admin has turned the tool off
 */
export async function suggestSnippet(actor: Actor, input: SnippetInput): Promise<Suggestion> {
  await requireFlag('serp-preview');
  await consumeLimit('suggest', { account: actor.userId, address: '' });
  const apiKey = await readApiKey('OpenAI');
  const written = apiKey === null ? null : await askModel(input, apiKey);
  const title = fitEverywhere('title', cleanLine(written?.title ?? ''));
  const description = fitEverywhere('description', cleanLine(written?.description ?? ''));
  if (title !== '' && description !== '') return { title, description, source: 'model' };
  return { ...suggestByRules(input), source: 'rules' };
}
