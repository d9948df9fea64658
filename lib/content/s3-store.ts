import { AwsClient } from 'aws4fetch';
import { AppError } from '../errors';
import { fromWebStream, toWebStream } from '../http/web-stream';
import { log } from '../log/log';
import { readListing } from './s3-listing';
import { checkedKey, contentNotFound } from './storage-key';
import type { ContentStore } from './store';

export type S3Settings = {
  /** The service's address without the bucket, e.g. https://s3.eu-central-1.amazonaws.com. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** Keeps files in a bucket of any S3-compatible service, by signed requests (AWS Signature Version 4, path style). */
export function s3Store({ endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Settings): ContentStore {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
  const bucketAddress = `${endpoint.replace(/\/$/, '')}/${bucket}`;
  const addressOf = (key: string) => `${bucketAddress}/${checkedKey(key)}`;

  const signedRequest = (method: 'PUT' | 'GET' | 'DELETE', key: string, headers: Record<string, string> = {}) =>
    client.sign(addressOf(key), { method, headers });

  return {
    async put(key, { stream, sizeBytes, sha256 }) {
      // Signed over the hash of the content: the service refuses bytes that were damaged on the way.
      const signed = await signedRequest('PUT', key, { 'X-Amz-Content-Sha256': sha256 });
      signed.headers.set('Content-Length', String(sizeBytes));
      // `duplex` is required for a body that is a stream, and missing from the DOM's types.
      const init: RequestInit & { duplex: 'half' } = {
        method: 'PUT',
        headers: signed.headers,
        body: toWebStream(stream),
        duplex: 'half',
      };
      await requireSuccess(await fetch(signed.url, init));
    },
    async get(key) {
      const response = await fetch(await signedRequest('GET', key));
      if (response.status === 404) {
        await response.body?.cancel();
        throw contentNotFound();
      }
      if (!response.ok || !response.body) throw await refusal(response);
      return fromWebStream(response.body);
    },
    async delete(key) {
      const response = await fetch(await signedRequest('DELETE', key));
      if (response.status !== 404) await requireSuccess(response);
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
        if (!response.ok) throw await refusal(response);
        const page = readListing(await response.text());
        yield page.files;
        token = page.next;
      } while (token !== null);
    },
  };
}

/** @throws AppError provider_failed */
async function requireSuccess(response: Response): Promise<void> {
  if (!response.ok) throw await refusal(response);
  await response.body?.cancel();
}

/** What the service said goes to the log, not to the person. */
async function refusal(response: Response): Promise<AppError> {
  const text = (await response.text()).slice(0, 500);
  log().error({ status: response.status, text }, 'The content store refused.');
  return new AppError('provider_failed', 'The file store does not answer as it should. Please try again in a moment.');
}
