import type { AwsClient } from 'aws4fetch';
import { log } from '../log/log';
import { textOf } from './s3-parts';
import { isStorageKey } from './storage-key';
import type { UnfinishedFigures } from './store';

type Upload = { key: string; uploadId: string; begunAt: Date };
type Listed = { uploads: Upload[]; next: Record<string, string> | null };

/**
 * Gives up uploads in parts that were begun before a moment and never ended: their process was killed, and S3 keeps, and
 * charges for, their parts. Only those of files of ours. What the service refuses, a listing too, counts as failed and
 * is tried again by the next run; the log has one warning about it.
 * @param prefixes of the keys to look at, e.g. "orders/"
 */
export async function abortUnfinished(
  client: AwsClient,
  bucketAddress: string,
  { prefixes, before }: { prefixes: string[]; before: Date },
): Promise<UnfinishedFigures> {
  const done = { removed: 0, failed: 0 };
  let firstTrouble: unknown;
  /** @returns null for what failed */
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
        // An unreadable time is before nothing.
        if (!(begunAt < before) || !isStorageKey(key)) continue;
        const upload = `${bucketAddress}/${key}?uploadId=${encodeURIComponent(uploadId)}`;
        // 404: it ended, or another instance was here, a moment ago.
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

/** @param alsoFine a status that is no failure either */
async function textOfAnswer(answer: Response, alsoFine?: number): Promise<string> {
  const text = await answer.text();
  if (answer.ok || answer.status === alsoFine) return text;
  throw new Error(`The content store answered ${answer.status}: ${text.slice(0, 500)}`);
}

/** Reads a page of S3's ListMultipartUploads (Amazon S3 API Reference), with what asks for the next one. */
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
