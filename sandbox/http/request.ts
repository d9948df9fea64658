import type { IncomingMessage } from 'node:http';

/** Large enough for mails with base64 attachments. */
const maxBodyBytes = 10 * 1024 * 1024;

/** A completely read request: handlers do not access the socket. */
export type GatewayRequest = {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: string;
  /** Path parameters, e.g. `id` of `/inbox/:id`. */
  params: Record<string, string>;
};

/** Thrown when a body exceeds the limit; becomes 413. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

/** Reads a whole request. @throws BodyTooLargeError */
export async function readRequest(message: IncomingMessage, origin: string): Promise<Omit<GatewayRequest, 'params'>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxBodyBytes) throw new BodyTooLargeError(`The body is larger than ${maxBodyBytes} bytes`);
    chunks.push(bytes);
  }
  return {
    method: message.method ?? 'GET',
    url: readUrl(message.url ?? '/', origin),
    headers: message.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

/** Reads the target as a path even when it begins with two slashes, which name no other host. */
function readUrl(target: string, origin: string): URL {
  return target.startsWith('/') ? new URL(origin + target) : new URL(target, origin);
}

/** Checks whether the client accepts HTML, i.e. is a browser. */
export function acceptsHtml(request: GatewayRequest): boolean {
  return (request.headers.accept ?? '').includes('text/html');
}

/**
 * Parses the fields of a control request, from JSON or from an HTML form.
 * @returns an empty object for an empty body; undefined for an invalid body
 */
export function readFields(request: GatewayRequest): unknown {
  if (request.body === '') return {};
  if ((request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(request.body));
  }
  try {
    return JSON.parse(request.body);
  } catch {
    return undefined;
  }
}
