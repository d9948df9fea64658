import { type Answer, appUrl, type openClient } from './http-client';

type Client = Pick<ReturnType<typeof openClient>, 'address' | 'cookie'>;

/**
 * Sends a raw body from a page of this app: invalid JSON, bytes or a form.
 * @param body a string is sent as JSON unless the headers specify otherwise; a form sets its own content type
 */
export async function sendBody(
  client: Client,
  path: string,
  body: BodyInit,
  { method = 'POST', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const response = await fetch(`${appUrl}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      'x-forwarded-for': client.address,
      ...(client.cookie() && { cookie: client.cookie() }),
      origin: new URL(appUrl).origin,
      ...(!(body instanceof FormData) && { 'content-type': 'application/json' }),
      ...headers,
    },
    body,
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** Uploads a file as multipart/form-data. */
export function sendUpload(
  client: Client,
  path: string,
  { content, name, field = 'file', method }: { content: BlobPart; name: string; field?: string; method?: string },
): Promise<Answer> {
  const form = new FormData();
  form.append(field, new File([content], name));
  return sendBody(client, path, form, { ...(method && { method }) });
}
