import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { AwsClient } from 'aws4fetch';
import { AppError } from '../../errors';
import { log } from '../log/log';

/**
 * Uploads a file with S3's multipart upload, with a signature for each part: a single request is limited to 5 GB. The
 * file becomes visible when all parts are uploaded; a failed upload is removed.
 * @param address the URL of the file, without a query
 * @param partBytes the size of each part but the last; S3 requires at least 5 MiB, and at most 10,000 parts
 * @throws AppError provider_failed
 */
export async function putInParts(
  client: AwsClient,
  address: string,
  stream: Readable,
  partBytes: number,
): Promise<void> {
  const begun = await requireS3Success(await client.fetch(`${address}?uploads=`, { method: 'POST' }));
  const uploadId = textOf(await begun.text(), 'UploadId');
  const upload = `${address}?uploadId=${encodeURIComponent(uploadId)}`;
  try {
    const listed: string[] = [];
    for await (const part of partsOf(stream, partBytes)) {
      const number = listed.length + 1;
      const sha256 = createHash('sha256').update(part).digest('hex');
      const sent = await client.fetch(`${upload}&partNumber=${number}`, {
        method: 'PUT',
        headers: { 'X-Amz-Content-Sha256': sha256 },
        body: part,
      });
      await (await requireS3Success(sent)).body?.cancel();
      const tag = (sent.headers.get('etag') ?? '').replaceAll('"', '&quot;');
      listed.push(`<Part><PartNumber>${number}</PartNumber><ETag>${tag}</ETag></Part>`);
    }
    const body = `<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`;
    const ended = await client.fetch(upload, { method: 'POST', body });
    // S3 may report an error of the completion after a 200.
    await requireS3Success(ended, (body) => textOf(body, 'ETag') !== '');
  } catch (thrown) {
    await removeParts(client, upload);
    throw thrown;
  }
}

/** Parts of an incomplete upload would be stored, and billed, indefinitely. */
async function removeParts(client: AwsClient, upload: string): Promise<void> {
  try {
    await requireS3Success(await client.fetch(upload, { method: 'DELETE' }));
  } catch (thrown) {
    log().error({ upload, err: thrown }, 'The parts of a file that could not be kept are still in the content store.');
  }
}

/** Splits the stream into parts of equal size; the last may be shorter. */
async function* partsOf(stream: Readable, partBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let part = new Uint8Array(partBytes);
  let filled = 0;
  for await (const chunk of stream) {
    let rest = Buffer.from(chunk);
    while (rest.length > 0) {
      const taken = rest.subarray(0, partBytes - filled);
      part.set(taken, filled);
      filled += taken.length;
      rest = rest.subarray(taken.length);
      if (filled < partBytes) continue;
      yield part;
      part = new Uint8Array(partBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield part.slice(0, filled);
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns the text of the first element with that name, or ''. S3's responses contain plain text only. */
export function textOf(xml: string, name: string): string {
  const text = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1] ?? '';
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, named?: string) => {
    if (named !== undefined) return entities[named] ?? whole;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

/**
 * Requires a successful response of S3.
 * @param isSuccess checks the body when the status alone is not sufficient
 * @returns the same response
 * @throws AppError provider_failed; the service's message is logged and not shown to the user
 */
export async function requireS3Success(response: Response, isSuccess?: (text: string) => boolean): Promise<Response> {
  if (response.ok && !isSuccess) return response;
  const text = await response.text();
  if (response.ok && isSuccess?.(text)) return response;
  log().error({ status: response.status, text: text.slice(0, 500) }, 'The content store refused.');
  throw new AppError('provider_failed', 'The file store does not answer as it should. Please try again in a moment.');
}
