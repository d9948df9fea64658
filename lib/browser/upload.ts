import { directUploadsMeta, maxDirectBytes, maxFormBytes, platformFormBytes } from '@/lib/network/direct-uploads';
import type { UploadForm } from '@/lib/platform/storage/store-interface';
import { ApiError, apiFetch, withSession } from './api-client';
import { accountHeaders } from './page-account';

export type SendFile = {
  /** Receives the fraction sent, 0 to 1. `fetch` does not report progress. */
  onProgress?: (share: number) => void;
  /** Aborts the upload; the server discards what it received. */
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** Default: POST. */
  method?: 'POST' | 'PUT';
};

/** A file in the bucket, as the app's endpoints accept it instead of a form. */
type SentFile = { upload: string; name: string };

/**
 * Uploads one file as multipart field `file`, or a large one through the bucket. When the server requires
 * reauthentication, prompts for the password and sends the request once more.
 * @returns the response's JSON, whose shape the API tests check; null for other content
 * @throws ApiError with the server's message and status; status 0 without a response or after an abort
 */
export async function sendFile<T>(path: string, file: File, options: SendFile = {}): Promise<T> {
  const { onProgress, signal, headers, method } = options;
  const [sent] = (await sendToBucket([file], { onProgress, signal })) ?? [];
  return withSession(async () => {
    const { status, text } = sent
      ? await post(path, JSON.stringify(sent), {
          signal,
          method,
          headers: { ...accountHeaders(), ...headers, 'Content-Type': 'application/json' },
        })
      : await post(path, createForm({}, file), { ...options, headers: { ...accountHeaders(), ...headers } });
    const response = readJson(text);
    if (status >= 200 && status < 300) return response as T;
    throw new ApiError(status, getString(response, 'error'), {}, null, getString(response, 'code') || null);
  });
}

/**
 * Sends the files of one request to the bucket if they are too large for a form on the platform, and the page says that
 * the bucket accepts them.
 * @returns the files as the endpoints accept them, in order; null if they are to be posted as a form
 * @throws ApiError as `sendFile` does
 */
export async function sendToBucket(
  files: readonly File[],
  { onProgress, signal }: Pick<SendFile, 'onProgress' | 'signal'> = {},
): Promise<SentFile[] | null> {
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${directUploadsMeta}"]`);
  if (totalBytes <= maxFormBytes || !meta) return null;
  const isOnlyWay = meta.content === 'only' && totalBytes > platformFormBytes;
  // The app refuses an empty file; the bucket accepts none, and no larger one.
  if (files.some(({ size }) => size === 0 || size > maxDirectBytes)) return null;
  const sent: SentFile[] = [];
  let sentBytes = 0;
  for (const file of files) {
    const created = await createUpload(file);
    if (!created) return null;
    const status = await postToBucket(created.url, createForm(created.fields, file), {
      signal,
      onProgress: (share) => onProgress?.((sentBytes + share * file.size) / totalBytes),
    });
    if (status < 200 || status >= 300) {
      // For example without a CORS rule, or with a bucket that has no such forms.
      if (!isOnlyWay) return null;
      const reason = status === 0 ? 'does not answer this page' : `answered ${status}`;
      throw new ApiError(
        502,
        `The file store ${reason}. Please try again, or contact the operator of this marketplace.`,
      );
    }
    sentBytes += file.size;
    sent.push({ upload: created.id, name: file.name });
  }
  return sent;
}

/** Sends the form to the bucket. @returns the status, or 0 without a response @throws ApiError after an abort */
async function postToBucket(url: string, form: FormData, options: SendFile): Promise<number> {
  try {
    return (await post(url, form, options)).status;
  } catch (cause) {
    if (options.signal?.aborted || !(cause instanceof ApiError)) throw cause;
    return 0;
  }
}

/** Starts a direct upload. @returns null if direct uploads were turned off since the page was loaded */
async function createUpload(file: File): Promise<(UploadForm & { id: string }) | null> {
  try {
    return await apiFetch('/api/uploads', { method: 'POST', body: { size_bytes: file.size } });
  } catch (cause) {
    if (cause instanceof ApiError && cause.status === 503) return null;
    throw cause;
  }
}

/** Creates the form of a direct upload. The file is the last field, because the bucket ignores fields after it. */
function createForm(fields: Record<string, string>, file: File): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', file);
  return form;
}

/** Sends a request with its progress. @throws ApiError with status 0 without a response or after an abort */
function post(url: string, body: FormData | string, options: SendFile): Promise<{ status: number; text: string }> {
  const { onProgress, signal, headers = {}, method = 'POST' } = options;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    };
    const rejectWithoutResponse = () => reject(new ApiError(0, ''));
    request.onerror = rejectWithoutResponse;
    request.onabort = rejectWithoutResponse;
    request.onload = () => resolve({ status: request.status, text: request.responseText });
    if (signal?.aborted) return rejectWithoutResponse();
    signal?.addEventListener('abort', () => request.abort());
    request.send(body);
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
