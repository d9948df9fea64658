import type { AwsClient } from 'aws4fetch';
import { requireS3Success } from './s3-success';
import { textOf } from './s3-xml';
import { isStorageKey } from './storage-key';

type Upload = { key: string; uploadId: string; begunAt: Date };

/**
 * Gives up uploads in parts that were begun before a moment and never ended: their process was killed, and S3 keeps, and
 * charges for, their parts. Only those of files of ours.
 * @param prefix of the keys to look at, e.g. "orders/"
 * @returns how many there were
 * @throws AppError provider_failed
 */
export async function abortUnfinished(
  client: AwsClient,
  bucketAddress: string,
  { prefix, before }: { prefix: string; before: Date },
): Promise<number> {
  let aborted = 0;
  let next: Record<string, string> | null = {};
  while (next) {
    const query: URLSearchParams = new URLSearchParams({ uploads: '', prefix, ...next });
    const answer = await requireS3Success(await client.fetch(`${bucketAddress}?${query}`));
    const page = readUploads(await answer.text());
    for (const { key, uploadId, begunAt } of page.uploads) {
      if (begunAt >= before || !isStorageKey(key)) continue;
      const upload = `${bucketAddress}/${key}?uploadId=${encodeURIComponent(uploadId)}`;
      const ended = await client.fetch(upload, { method: 'DELETE' });
      // It ended, or another instance was here, a moment ago.
      if (ended.status !== 404) await requireS3Success(ended);
      await ended.body?.cancel();
      aborted += 1;
    }
    next = page.next;
  }
  return aborted;
}

/** Reads a page of S3's ListMultipartUploads (Amazon S3 API Reference), with what asks for the next one. */
function readUploads(xml: string): { uploads: Upload[]; next: Record<string, string> | null } {
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
