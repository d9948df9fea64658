import { Readable } from 'node:stream';
import type { ListMultipartUploadsCommandOutput, S3 } from '@aws-sdk/client-s3';
import { z } from 'zod';
import { AppError } from '@/lib/errors';
import { log } from '@/lib/platform/log/log';
import { contentNotFound, directUploadFolder, isStorageKey, ownedFolders, requireStorageKey } from './storage-key';
import type { CleanupResult, ContentStore } from './store-interface';
import { verifyChecksum } from './store-interface';

export type S3Settings = {
  /** The service's URL without the bucket, e.g. https://s3.eu-central-1.amazonaws.com. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** A larger file is uploaded in parts of this size, two of which are held in memory; by default, `getPartBytes`. */
  partBytes?: number;
};

const mebibyte = 1024 ** 2;

/** Returns the size of a part: up to 1,000 parts of 8 to 64 MiB, and never more than the 10,000 that S3 allows. */
const getPartBytes = (sizeBytes: number): number =>
  Math.ceil(Math.max(8 * mebibyte, Math.min(64 * mebibyte, sizeBytes / 1_000), sizeBytes / 10_000));

const connectionTimeoutMs = 10_000;
/** The time after which a silent connection is closed. */
const socketTimeoutMs = 5 * 60_000;

/**
 * Stores files in a bucket of an S3-compatible service. Amazon's client is loaded at the first use, so that
 * installations with a local folder do not load it.
 */
export function s3Store({ bucket: Bucket, partBytes, ...settings }: S3Settings): ContentStore {
  let client: Promise<S3> | undefined;
  const open = () => {
    client ??= createClient(settings);
    return client;
  };
  return {
    async put(key, { stream, sizeBytes, sha256 }) {
      const object = { Bucket, Key: requireStorageKey(key) };
      const { Upload } = await import('@aws-sdk/lib-storage');
      // The file becomes visible when all parts are uploaded. The parts of a failed upload are removed. The signature of a
      // part covers its hash, so the service rejects data that was damaged in transit. A part that failed is sent again.
      const upload = new Upload({
        client: await open(),
        params: { ...object, Body: Readable.from(verifyChecksum(stream, sha256)), ContentLength: sizeBytes },
        partSize: partBytes ?? getPartBytes(sizeBytes),
        queueSize: 1,
      });
      await upload.done().catch(throwRefusal);
    },
    async get(key) {
      const object = { Bucket, Key: requireStorageKey(key) };
      const { Body } = await (await open()).getObject(object).catch((thrown: unknown) => {
        throw getStatus(thrown) === 404 ? contentNotFound() : toRefusal(thrown);
      });
      return Body instanceof Readable ? Body : Readable.from([]);
    },
    async delete(key) {
      const object = { Bucket, Key: requireStorageKey(key) };
      await (await open()).deleteObject(object).catch((thrown: unknown) => {
        if (getStatus(thrown) !== 404) throw toRefusal(thrown);
      });
    },
    async *list() {
      const s3 = await open();
      try {
        for (const folder of ownedFolders) {
          for await (const { Contents = [] } of s3.paginateListObjectsV2({ Bucket, Prefix: `${folder}/` })) {
            const files = Contents.flatMap(({ Key, LastModified }) =>
              Key && LastModified ? [{ key: Key, modifiedAt: LastModified }] : [],
            );
            if (files.length > 0) yield files;
          }
        }
      } catch (thrown) {
        throw toRefusal(thrown);
      }
    },
    async removeUnfinished(before) {
      const s3 = await open();
      const aborted = await abortUnfinished(s3, Bucket, before);
      const deleted = await deleteUnused(s3, Bucket, before);
      return { removed: aborted.removed + deleted.removed, failed: aborted.failed + deleted.failed };
    },
    async createForm(key, { sizeBytes, seconds }) {
      const { createPresignedPost } = await import('@aws-sdk/s3-presigned-post');
      return createPresignedPost(await open(), {
        Bucket,
        Key: requireStorageKey(key),
        Conditions: [['content-length-range', sizeBytes, sizeBytes]],
        Expires: seconds,
      });
    },
  };
}

async function createClient({
  endpoint,
  region,
  ...credentials
}: Pick<S3Settings, 'endpoint' | 'region' | 'accessKeyId' | 'secretAccessKey'>): Promise<S3> {
  const { S3 } = await import('@aws-sdk/client-s3');
  // By default 50 slow downloads would block all other requests.
  const agent = { maxSockets: Number.POSITIVE_INFINITY };
  return new S3({
    endpoint,
    region,
    credentials,
    forcePathStyle: true,
    // Also retries a request whose kept-alive connection the service has closed.
    maxAttempts: 3,
    // Services other than Amazon's may refuse the checksums that the client adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      socketTimeout: socketTimeoutMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
}

const responseSchema = z.object({ $metadata: z.object({ httpStatusCode: z.number() }) });

/** Returns the HTTP status of an error response; undefined when the request had no response. */
function getStatus(thrown: unknown): number | undefined {
  return responseSchema.safeParse(thrown).data?.$metadata.httpStatusCode;
}

/** Converts an error response to provider_failed. The service's message is logged and not shown to the user. */
function toRefusal(thrown: unknown): unknown {
  const status = getStatus(thrown);
  if (status === undefined) return thrown;
  log().error({ status, err: thrown }, 'The content store refused a request.');
  return new AppError('provider_failed', 'The file store does not respond correctly. Please try again in a moment.');
}

function throwRefusal(thrown: unknown): never {
  throw toRefusal(thrown);
}

/**
 * Aborts multipart uploads that were started before a point in time and never completed because their process was
 * killed: S3 stores, and bills, their parts. Only keys of this app are considered. Failed requests are counted and
 * retried by the next run; the log contains one warning about them.
 */
async function abortUnfinished(s3: S3, Bucket: string, before: Date): Promise<CleanupResult> {
  const done = { removed: 0, failed: 0 };
  let firstFailure: unknown;
  const countFailure = (thrown: unknown): undefined => {
    firstFailure ??= thrown;
    done.failed += 1;
  };
  const abort = async (upload: { Key: string; UploadId: string }) => {
    try {
      await s3.abortMultipartUpload({ Bucket, ...upload });
      done.removed += 1;
    } catch (thrown) {
      // 404: it was completed, or aborted by another instance, in the meantime.
      if (getStatus(thrown) === 404) done.removed += 1;
      else countFailure(thrown);
    }
  };

  for (const Prefix of [...ownedFolders, 'backups'].map((folder) => `${folder}/`)) {
    let next: { KeyMarker?: string; UploadIdMarker?: string } | null = {};
    while (next) {
      const page: ListMultipartUploadsCommandOutput | undefined = await s3
        .listMultipartUploads({ Bucket, Prefix, ...next })
        .catch(countFailure);
      for (const { Key = '', UploadId, Initiated } of page?.Uploads ?? []) {
        if (!UploadId || !Initiated || Initiated >= before || !isStorageKey(Key)) continue;
        await abort({ Key, UploadId });
      }
      next =
        page?.IsTruncated && page.NextKeyMarker
          ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
          : null;
    }
  }
  if (done.failed > 0) {
    log().warn({ ...done, err: firstFailure }, 'Interrupted uploads could not all be listed or aborted.');
  }
  return done;
}

/**
 * Deletes the files that browsers sent to the bucket before a point in time, and that no request has used. Failed
 * requests are counted and retried by the next run.
 */
async function deleteUnused(s3: S3, Bucket: string, before: Date): Promise<CleanupResult> {
  const done = { removed: 0, failed: 0 };
  let firstFailure: unknown;
  const countFailure = (thrown: unknown) => {
    firstFailure ??= thrown;
    done.failed += 1;
  };
  try {
    for await (const { Contents = [] } of s3.paginateListObjectsV2({ Bucket, Prefix: `${directUploadFolder}/` })) {
      for (const { Key = '', LastModified } of Contents) {
        if (!LastModified || LastModified >= before || !isStorageKey(Key)) continue;
        await s3.deleteObject({ Bucket, Key }).then(() => {
          done.removed += 1;
        }, countFailure);
      }
    }
  } catch (thrown) {
    countFailure(thrown);
  }
  if (done.failed > 0) log().warn({ ...done, err: firstFailure }, 'Unused uploads could not all be listed or deleted.');
  return done;
}
