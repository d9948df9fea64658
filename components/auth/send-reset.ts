import { ApiError } from '@/lib/browser/api-client';

/** An error text that is no text of ours (a proxy's page) is cut to what a person may read. */
const maxErrorLength = 400;

/**
 * Sets a new password by a mailed token. Unlike `apiFetch` it shows an answer that is no JSON as the error's text, as
 * the specification has it here (000, section 8).
 * @throws ApiError with the text to show; empty where the screen has its own
 */
export async function sendReset(token: string, password: string): Promise<void> {
  const response = await fetch('/api/user/auth/reset', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, password }),
  }).catch(noAnswer);
  if (response.ok) return;
  // The connection may end in the middle of the answer; half of one is none.
  const text = await response.text().catch(noAnswer);
  throw new ApiError(response.status, errorText(text), fieldsOf(text));
}

function noAnswer(): never {
  throw new ApiError(0, '');
}

type Refusal = { error?: unknown; fields?: unknown };

function errorText(text: string): string {
  const body = parsed(text);
  if (!body) return text.trim().slice(0, maxErrorLength) || 'Server error';
  return typeof body.error === 'string' ? body.error : '';
}

function fieldsOf(text: string): Record<string, string> {
  const fields = parsed(text)?.fields;
  if (typeof fields !== 'object' || fields === null) return {};
  return Object.fromEntries(Object.entries(fields).filter(([, message]) => typeof message === 'string'));
}

/** null for what is no JSON object. */
function parsed(text: string): Refusal | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' ? body : null;
  } catch {
    // Not JSON: the caller shows the text itself.
    return null;
  }
}
