import type { IncomingMessage } from 'node:http';

/** Mails carry attachments in base64; nothing else here comes near this. */
const maxBodyBytes = 10 * 1024 * 1024;

/** One request, read completely: handlers never touch the socket. */
export type GatewayRequest = {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: string;
  /** The named parts of the path, e.g. `id` of `/inbox/:id`. */
  params: Record<string, string>;
};

/** Thrown when a body is larger than the gateway takes; becomes 413. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

/** Reads the whole request. @throws BodyTooLargeError */
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
    url: new URL(message.url ?? '/', origin),
    headers: message.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

/** Whether a person's browser asks (a page, a form) rather than a program. */
export function wantsPage(request: GatewayRequest): boolean {
  return (request.headers.accept ?? '').includes('text/html');
}

/**
 * The fields of a control call, from JSON or from an HTML form.
 * @returns an empty record for an empty body; undefined for a body that is not what it says it is
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
