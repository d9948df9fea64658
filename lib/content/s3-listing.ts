import type { StoredFile } from './store';

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

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

function textOf(xml: string, name: string): string {
  const text = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1] ?? '';
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, named?: string) => {
    if (named !== undefined) return entities[named] ?? whole;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}
