import { ApiError } from './api-client';
import { withReauthentication } from './reauthentication';

type SendFile = {
  /** Receives the fraction sent, 0 to 1. `fetch` does not report progress. */
  onProgress?: (share: number) => void;
  /** Aborts the upload; the server discards what it received. */
  signal?: AbortSignal;
  headers?: Record<string, string>;
};

/**
 * Uploads one file as multipart field `file`. When the server requires reauthentication, prompts for the password and
 * sends the file once more.
 * @returns the response's JSON, whose shape the API tests check; null for other content
 * @throws ApiError with the server's message and status; status 0 without a response or after an abort
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
    const rejectWithoutResponse = () => reject(new ApiError(0, ''));
    request.onerror = rejectWithoutResponse;
    request.onabort = rejectWithoutResponse;
    request.onload = () => {
      const response = readJson(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(response as T);
      else
        reject(
          new ApiError(request.status, getString(response, 'error'), {}, null, getString(response, 'code') || null),
        );
    };
    if (signal?.aborted) return rejectWithoutResponse();
    signal?.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

/** Returns null when the text is not JSON, e.g. a proxy's error page. The status is still valid. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns a string property of the response, or ''. */
function getString(response: unknown, name: 'error' | 'code'): string {
  const { [name]: text }: { error?: unknown; code?: unknown } =
    typeof response === 'object' && response !== null ? response : {};
  return typeof text === 'string' ? text : '';
}
