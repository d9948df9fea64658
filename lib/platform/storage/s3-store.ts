import { Readable } from 'node:stream';
import { AwsClient } from 'aws4fetch';
import { fromWebStream, toWebStream } from '../http/web-stream';
import { putInParts, requireS3Success, textOf } from './s3-parts';
import { abortUnfinished } from './s3-unfinished';
import { contentNotFound, requireStorageKey } from './storage-key';
import type { ContentStore, StoredFile } from './store';

export type S3Settings = {
  /** The service's URL without the bucket, e.g. https://s3.eu-central-1.amazonaws.com. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** A larger file is uploaded in parts of this size, one of which is held in memory. */
  partBytes?: number;
};

const usualPartBytes = 64 * 1024 ** 2;

/** Stores files in a bucket of an S3-compatible service, with signed requests (AWS Signature Version 4, path style). */
export function s3Store(settings: S3Settings): ContentStore {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey, partBytes = usualPartBytes } = settings;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 });
  const bucketAddress = `${endpoint.replace(/\/$/, '')}/${bucket}`;
  const addressOf = (key: string) => `${bucketAddress}/${requireStorageKey(key)}`;

  const signedRequest = (method: 'PUT' | 'GET' | 'DELETE', key: string, headers: Record<string, string> = {}) =>
    client.sign(addressOf(key), { method, headers });

  return {
    async put(key, { stream, sizeBytes, sha256 }) {
      if (sizeBytes > partBytes) return putInParts(client, addressOf(key), stream, partBytes);
      // The signature covers the hash of the content: the service rejects data that was damaged in transit.
      const signed = await signedRequest('PUT', key, { 'X-Amz-Content-Sha256': sha256 });
      signed.headers.set('Content-Length', String(sizeBytes));
      // `duplex` is required for a streaming body, and missing from the DOM's types.
      const init: RequestInit & { duplex: 'half' } = {
        method: 'PUT',
        headers: signed.headers,
        body: toWebStream(stream),
        duplex: 'half',
      };
      const response = await requireS3Success(await fetch(signed.url, init));
      await response.body?.cancel();
    },
    async get(key) {
      const response = await fetch(await signedRequest('GET', key));
      if (response.status === 404) {
        await response.body?.cancel();
        throw contentNotFound();
      }
      const { body } = await requireS3Success(response);
      return body ? fromWebStream(body) : Readable.from([]);
    },
    async delete(key) {
      const response = await fetch(await signedRequest('DELETE', key));
      if (response.status !== 404) await requireS3Success(response);
      await response.body?.cancel();
    },
    async *list() {
      let token: string | null = null;
      do {
        const query = new URLSearchParams({
          'list-type': '2',
          prefix: 'orders/',
          ...(token && { 'continuation-token': token }),
        });
        const response = await fetch(await client.sign(`${bucketAddress}?${query}`, { method: 'GET' }));
        const page = readListing(await (await requireS3Success(response)).text());
        yield page.files;
        token = page.next;
      } while (token !== null);
    },
    removeUnfinished: (before) => abortUnfinished(client, bucketAddress, { prefixes: ['orders/', 'backups/'], before }),
  };
}

/**
 * Parses a page of S3's ListObjectsV2 (Amazon S3 API Reference).
 * @returns the files, and the continuation token, or null on the last page
 */
function readListing(xml: string): { files: StoredFile[]; next: string | null } {
  const files = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, contents = '']) => ({
    key: textOf(contents, 'Key'),
    modifiedAt: new Date(textOf(contents, 'LastModified')),
  }));
  const isMore = textOf(xml, 'IsTruncated') === 'true';
  return { files, next: isMore ? textOf(xml, 'NextContinuationToken') || null : null };
}
