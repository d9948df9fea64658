import { ApiError } from '@/lib/browser/api-client';

/** The maximum length of an error text that is not the app's own, e.g. a proxy's page. */
const maxErrorLength = 400;

/**
 * Sets a new password by a mailed token. Unlike `apiFetch`, it shows the text of a response that is not JSON.
 * @throws ApiError with the text to show; empty where the screen has its own
 */
export async function sendReset(token: string, password: string): Promise<void> {
  const response = await fetch('/api/user/auth/reset', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, password }),
  }).catch(throwNoResponse);
  if (response.ok) return;
  // The connection can end in the middle of the response; a partial body is ignored.
  const text = await response.text().catch(throwNoResponse);
  throw new ApiError(response.status, errorText(text), fieldsOf(text));
}

function throwNoResponse(): never {
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

/** Parses a JSON object; null for anything else. */
function parsed(text: string): Refusal | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' ? body : null;
  } catch {
    // Not JSON: the caller shows the text itself.
    return null;
  }
}
