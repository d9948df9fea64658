import { readApiKey } from '../api-keys/read-api-key';
import { env } from '../env';
import { log } from '../log/log';
import type { ConnectionResult } from '../payments/test-connection';

const timeoutMs = 10_000;

/** Asks for the list of models, which needs the key and costs nothing (OpenAI API reference, "List models"). */
export async function testOpenAi(): Promise<ConnectionResult> {
  const key = await readApiKey('OpenAI');
  if (key === null) return { ok: false, message: 'No OpenAI key is stored, or it cannot be decrypted.' };
  try {
    const answer = await fetch(`${env().OPENAI_BASE_URL ?? 'https://api.openai.com/v1'}/models`, {
      headers: { Authorization: `Bearer ${key}` },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await answer.body?.cancel();
    if (answer.ok) return { ok: true, message: 'OpenAI accepts the key.' };
    if (answer.status === 401) return { ok: false, message: 'OpenAI does not know this key.' };
    return { ok: false, message: `OpenAI answered with status ${answer.status}.` };
  } catch (thrown) {
    log().error({ err: thrown }, 'OpenAI failed its test.');
    return { ok: false, message: 'OpenAI could not be reached.' };
  }
}
