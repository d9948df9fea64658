import { ApiError } from './api-client';
import { withReauthentication } from './reauthentication';

type SendFile = {
  /** Share sent, 0 to 1; fetch cannot tell it. */
  onProgress?: (share: number) => void;
  /** Aborted: the sending stops, and the server keeps nothing of it. */
  signal?: AbortSignal;
  headers?: Record<string, string>;
};

/**
 * Sends one file from the browser as multipart field `file`. Where the server wants the password typed again, the person
 * is asked for it and the file is sent once more.
 * @returns the answer's JSON, whose shape the API tests hold the server to; null for none
 * @throws ApiError with the server's text and status; status 0 when no answer came or it was aborted
 */
export function sendFile<T>(path: string, file: File, options: SendFile = {}): Promise<T> {
  return withReauthentication(() => sendOnce<T>(path, file, options));
}

function sendOnce<T>(path: string, file: File, options: SendFile): Promise<T> {
  const { onProgress, signal, headers = {} } = options;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append('file', file);
    request.open('POST', path);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    };
    const unanswered = () => reject(new ApiError(0, ''));
    request.onerror = unanswered;
    request.onabort = unanswered;
    request.onload = () => {
      const answer = readJson(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(answer as T);
      else reject(new ApiError(request.status, textIn(answer, 'error'), {}, null, textIn(answer, 'code') || null));
    };
    if (signal?.aborted) return unanswered();
    signal?.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

/** Null for an answer that is not ours: a proxy's page. The status still tells what happened. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A text of an answer of ours, or an empty one. */
function textIn(answer: unknown, name: 'error' | 'code'): string {
  const { [name]: text }: { error?: unknown; code?: unknown } =
    typeof answer === 'object' && answer !== null ? answer : {};
  return typeof text === 'string' ? text : '';
}
