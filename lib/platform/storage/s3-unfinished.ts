import type { AwsClient } from 'aws4fetch';
import { log } from '../log/log';
import { textOf } from './s3-parts';
import { isStorageKey } from './storage-key';
import type { CleanupResult } from './store';

type Upload = { key: string; uploadId: string; begunAt: Date };
type Listed = { uploads: Upload[]; next: Record<string, string> | null };

/**
 * Aborts multipart uploads that were started before a point in time and never completed because their process was
 * killed: S3 stores, and bills, their parts. Only keys of this app are considered. Failed requests are counted and
 * retried by the next run; the log contains one warning about them.
 * @param prefixes key prefixes to search, e.g. "orders/"
 */
export async function abortUnfinished(
  client: AwsClient,
  bucketAddress: string,
  { prefixes, before }: { prefixes: string[]; before: Date },
): Promise<CleanupResult> {
  const done = { removed: 0, failed: 0 };
  let firstTrouble: unknown;
  /** @returns null when the call fails */
  async function tried<T>(call: () => Promise<T>): Promise<T | null> {
    try {
      return await call();
    } catch (thrown) {
      firstTrouble ??= thrown;
      done.failed += 1;
      return null;
    }
  }

  for (const prefix of prefixes) {
    let next: Listed['next'] = {};
    while (next) {
      const query: URLSearchParams = new URLSearchParams({ uploads: '', prefix, ...next });
      const page: Listed | null = await tried(async () =>
        readUploads(await textOfAnswer(await client.fetch(`${bucketAddress}?${query}`))),
      );
      for (const { key, uploadId, begunAt } of page?.uploads ?? []) {
        // An invalid date compares as false.
        if (!(begunAt < before) || !isStorageKey(key)) continue;
        const upload = `${bucketAddress}/${key}?uploadId=${encodeURIComponent(uploadId)}`;
        // 404: it was completed, or aborted by another instance, in the meantime.
        const ended = await tried(async () => textOfAnswer(await client.fetch(upload, { method: 'DELETE' }), 404));
        if (ended !== null) done.removed += 1;
      }
      next = page?.next ?? null;
    }
  }
  if (done.failed > 0) {
    log().warn({ ...done, err: firstTrouble }, 'Uploads that broke off could not all be listed or given up.');
  }
  return done;
}

/** @param alsoFine another status that is accepted */
async function textOfAnswer(response: Response, alsoFine?: number): Promise<string> {
  const text = await response.text();
  if (response.ok || response.status === alsoFine) return text;
  throw new Error(`The content store answered ${response.status}: ${text.slice(0, 500)}`);
}

/** Parses a page of S3's ListMultipartUploads (Amazon S3 API Reference), with the markers of the next one. */
function readUploads(xml: string): Listed {
  const uploads = [...xml.matchAll(/<Upload>(.*?)<\/Upload>/gs)].map(([, upload = '']) => ({
    key: textOf(upload, 'Key'),
    uploadId: textOf(upload, 'UploadId'),
    begunAt: new Date(textOf(upload, 'Initiated')),
  }));
  const isMore = textOf(xml, 'IsTruncated') === 'true';
  const markers = {
    'key-marker': textOf(xml, 'NextKeyMarker'),
    'upload-id-marker': textOf(xml, 'NextUploadIdMarker'),
  };
  return { uploads, next: isMore && markers['key-marker'] ? markers : null };
}
