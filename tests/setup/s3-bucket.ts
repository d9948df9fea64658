import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { checkPostPolicy } from './post-policy';

/** An upload is listed without its start if `begunAt` is null. */
export type Upload = { path: string; begunAt: Date | null; parts: Map<string, Buffer> };

/**
 * An in-memory bucket that responds as S3 does (Amazon S3 API Reference) and records its requests. It checks the
 * signatures of forms, and allows them from the pages of all origins.
 * @returns `objects` by their paths, e.g. "/content/orders/…"; incomplete multipart `uploads` by their ids
 */
export async function startBucket() {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Upload>();
  const requests: IncomingMessage[] = [];
  /** Responds with 503 to matching requests, sends half of an object to others, or redirects all of them. */
  const trouble: {
    refuses: (request: IncomingMessage) => boolean;
    cutsOff?: (request: IncomingMessage) => boolean;
    redirectsTo?: string;
  } = { refuses: () => false };

  const server = createServer(async (request, response) => {
    requests.push(request);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://bucket');
    const body = await buffer(request);
    const answer = (status: number, content?: string | Buffer, headers = {}) =>
      response.writeHead(status, headers).end(content);
    if (trouble.redirectsTo) return answer(307, undefined, { location: trouble.redirectsTo });
    if (trouble.refuses(request)) return answer(503, '<Error><Code>SlowDown</Code></Error>');
    const bucket = pathname.replace(/\/$/, '');
    if (request.method === 'OPTIONS') return answer(200, undefined, corsHeaders);
    if (request.headers['content-type']?.startsWith('multipart/form-data')) {
      const posted = await checkForm(bucket.slice(1), body, request.headers['content-type']);
      if ('code' in posted) return answer(posted.status, `<Error><Code>${posted.code}</Code></Error>`, corsHeaders);
      objects.set(`${bucket}/${posted.key}`, posted.file);
      return answer(204, undefined, corsHeaders);
    }
    if (searchParams.has('list-type')) return answer(200, listingOf(objects, bucket, searchParams));
    if (searchParams.has('uploads')) {
      if (request.method === 'GET') return answer(200, listingOfUploads(uploads, bucket, searchParams));
      const id = `id+${requests.length}&2`;
      uploads.set(id, { path: pathname, begunAt: new Date(), parts: new Map() });
      return answer(
        200,
        `<InitiateMultipartUploadResult><UploadId>${escaped(id)}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    const sum = createHash('sha256').update(body).digest('hex');
    if (request.method === 'PUT' && sum !== request.headers['x-amz-content-sha256']) {
      return answer(400, '<Error><Code>XAmzContentSHA256Mismatch</Code></Error>');
    }
    const uploadId = searchParams.get('uploadId');
    if (uploadId !== null) {
      const upload = uploads.get(uploadId);
      if (upload?.path !== pathname) return answer(404, '<Error><Code>NoSuchUpload</Code></Error>');
      const { parts } = upload;
      if (request.method === 'PUT') {
        parts.set(searchParams.get('partNumber') ?? '', body);
        return answer(200, undefined, { etag: `"${sum.slice(0, 32)}"` });
      }
      const listed = [...body.toString().matchAll(/<Part>(.*?)<\/Part>/gs)].flatMap(([, part = '']) =>
        /<ETag>&quot;[\da-f]{32}&quot;</.test(part) ? (/<PartNumber>(\d+)</.exec(part)?.[1] ?? []) : [],
      );
      const put = listed.map((number) => parts.get(number) ?? Buffer.alloc(0));
      uploads.delete(uploadId);
      if (request.method === 'DELETE') return answer(204);
      objects.set(pathname, Buffer.concat(put));
      return answer(200, '<CompleteMultipartUploadResult><ETag>"whole-3"</ETag></CompleteMultipartUploadResult>');
    }
    if (request.method === 'PUT') objects.set(pathname, body);
    if (request.method === 'DELETE') objects.delete(pathname);
    const found = objects.get(pathname);
    const status = request.method === 'DELETE' ? 204 : found ? 200 : 404;
    if (request.method === 'GET' && found && trouble.cutsOff?.(request)) {
      response.writeHead(200, { 'content-length': found.length }).write(found.subarray(0, found.length / 2));
      return setTimeout(() => response.destroy(), 50);
    }
    return answer(status, request.method === 'GET' ? found : undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { endpoint: `http://127.0.0.1:${port}/`, objects, uploads, requests, trouble, close: () => server.close() };
}

const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': '*',
};

/** The key of the tests, with which forms must be signed. */
export const bucketKey = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret-of-the-test' };

/** @returns the object of a posted form, or a refusal; fields after the file are ignored */
async function checkForm(bucket: string, body: Buffer, contentType: string) {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  const fields: [string, string][] = [];
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.push([name, value]);
    else if (name === 'file') {
      const file = Buffer.from(await value.arrayBuffer());
      const checked = checkPostPolicy({ bucket, fields, fileBytes: file.length, ...bucketKey, now: new Date() });
      return 'key' in checked ? { ...checked, file } : checked;
    }
  }
  return { status: 400, code: 'InvalidArgument' };
}

/** Two objects a page, with a token that must be escaped in XML and in a URL. */
function listingOf(objects: Map<string, Buffer>, bucket: string, query: URLSearchParams): string {
  const names = [...objects.keys()].map((name) => name.replace(`${bucket}/`, '')).sort();
  const wanted = names.filter((name) => name.startsWith(query.get('prefix') ?? ''));
  const [, after = ''] = (query.get('continuation-token') ?? '').split('&');
  const rest = wanted.filter((name) => name > after);
  const page = rest.slice(0, 2);
  const contents = page.map(
    (name) => `<Contents><Key>${name}</Key><LastModified>2026-02-03T04:05:06.000Z</LastModified></Contents>`,
  );
  const isMore = rest.length > page.length;
  const next = isMore ? `<NextContinuationToken>a+b&amp;${page.at(-1)}</NextContinuationToken>` : '';
  return `<?xml version="1.0"?>\n<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${contents.join('\n')}${next}</ListBucketResult>`;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;');

/** Two uploads a page, with two markers that must be escaped likewise. */
function listingOfUploads(uploads: Map<string, Upload>, bucket: string, query: URLSearchParams): string {
  const all = [...uploads].map(([id, { path, begunAt }]) => ({ id, key: path.replace(`${bucket}/`, ''), begunAt }));
  const after = [query.get('key-marker') ?? '', query.get('upload-id-marker') ?? ''].join('\n');
  const wanted = all
    .map((upload) => ({ ...upload, at: `${upload.key}\n${upload.id}` }))
    .filter(({ key, at }) => key.startsWith(query.get('prefix') ?? '') && at > after)
    .sort((one, other) => (one.at < other.at ? -1 : 1));
  const page = wanted.slice(0, 2);
  const listed = page.map(
    ({ id, key, begunAt }) =>
      `<Upload><Key>${key}</Key><UploadId>${escaped(id)}</UploadId>${begunAt ? `<Initiated>${begunAt.toISOString()}</Initiated>` : ''}</Upload>`,
  );
  const last = wanted.length > page.length ? page.at(-1) : undefined;
  const next = last
    ? `<NextKeyMarker>${last.key}</NextKeyMarker><NextUploadIdMarker>${escaped(last.id)}</NextUploadIdMarker>`
    : '';
  return `<?xml version="1.0"?>\n<ListMultipartUploadsResult>${next}<IsTruncated>${last !== undefined}</IsTruncated>${listed.join('\n')}</ListMultipartUploadsResult>`;
}
