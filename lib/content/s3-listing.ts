import { textOf } from './s3-xml';
import type { StoredFile } from './store';

/**
 * Reads a page of S3's ListObjectsV2 (Amazon S3 API Reference). Its elements hold plain texts and nest no further.
 * @returns the files, and the token that asks for the next page, or null after the last one
 */
export function readListing(xml: string): { files: StoredFile[]; next: string | null } {
  const files = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, contents = '']) => ({
    key: textOf(contents, 'Key'),
    modifiedAt: new Date(textOf(contents, 'LastModified')),
  }));
  const isMore = textOf(xml, 'IsTruncated') === 'true';
  return { files, next: isMore ? textOf(xml, 'NextContinuationToken') || null : null };
}
