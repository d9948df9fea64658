import { type IncomingHttpHeaders, request as startRequest } from 'node:http';
import { request as startTlsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

type RequestOptions = {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Called after half of the body has been sent; the rest follows when it resolves. */
  halfway?: () => Promise<void>;
};

export type HttpsClient = ReturnType<typeof openHttpsClient>;

/**
 * Creates a client of the installation at `origin` that keeps cookies, as a browser does, and opens a connection for
 * each request.
 * @param ca the certificate authority in PEM that issued the certificate
 */
export function openHttpsClient(origin: string, ca: string) {
  const cookies = new Map<string, string>();

  const request = async (path: string, options: RequestOptions = {}): Promise<Answer> => {
    const { method = 'GET', headers = {}, body = '', halfway } = options;
    const url = new URL(path, origin);
    const bytes = Buffer.from(body);
    const start = url.protocol === 'https:' ? startTlsRequest : startRequest;
    const outgoing = start(url, {
      method,
      ca,
      agent: false,
      timeout: 60_000,
      headers: {
        ...(cookies.size > 0 && { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...(method !== 'GET' && { origin, 'content-length': bytes.length }),
        ...headers,
      },
    });
    const answered = new Promise<Answer>((resolve, reject) => {
      outgoing.once('error', reject);
      outgoing.once('timeout', () => outgoing.destroy(new Error(`No answer of ${path} in 60 seconds.`)));
      outgoing.once('response', async (response) => {
        for (const line of response.headers['set-cookie'] ?? []) keepCookie(line);
        const status = response.statusCode ?? 0;
        text(response).then((content) => resolve({ status, headers: response.headers, body: content }), reject);
      });
    });
    // Reported by the caller, who may still be waiting for `halfway`.
    answered.catch(() => undefined);
    if (halfway) {
      outgoing.write(bytes.subarray(0, bytes.length / 2));
      await halfway();
      outgoing.end(bytes.subarray(bytes.length / 2));
    } else outgoing.end(bytes);
    return answered;
  };

  const keepCookie = (line: string) => {
    const [pair = ''] = line.split(';');
    const at = pair.indexOf('=');
    cookies.set(pair.slice(0, at), pair.slice(at + 1));
  };

  return {
    request,
    get: (path: string, headers?: Record<string, string>) => request(path, { headers }),
    post: (path: string, body: unknown, halfway?: () => Promise<void>) =>
      request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        halfway,
      }),
    /** Uploads a file in the form field `file`. */
    upload: (path: string, name: string, type: string, content: string) => {
      const boundary = 'linkmarket-check';
      const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n`;
      return request(path, {
        method: 'POST',
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
        body: `${head}${content}\r\n--${boundary}--\r\n`,
      });
    },
  };
}

/** Repeats a check every half second until it holds. @throws Error with `what` after `seconds` */
export async function waitUntil(what: string, seconds: number, holds: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline; await sleep(500)) if (await holds()) return;
  throw new Error(`${what}: not in ${seconds} seconds.`);
}
