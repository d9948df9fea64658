import type { Readable } from 'node:stream';
import { toWebStream } from './web-stream';

/** A file to send; `attachmentResponse` closes the stream. */
export type Attachment = { fileName: string; mediaType: string; sizeBytes: number; stream: Readable };

/**
 * Sends a file as a download, so that its content never runs on the app's origin. The name is sent twice (RFC 6266): in
 * ASCII for old clients, and in UTF-8 (RFC 8187).
 */
export function attachmentResponse({ fileName, mediaType, sizeBytes, stream }: Attachment, method: string): Response {
  // The response to HEAD has no body, so the stream would stay open.
  if (method === 'HEAD') stream.destroy();
  return new Response(method === 'HEAD' ? null : toWebStream(stream), {
    headers: {
      'Content-Type': mediaType,
      // Next.js's server omits it and sends chunks, which also reveal a broken transfer; other servers send it.
      'Content-Length': String(sizeBytes),
      'Content-Disposition': contentDisposition(fileName),
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    },
  });
}

/** Builds the Content-Disposition header; safe for any string, also with quotes or line breaks. */
export function contentDisposition(fileName: string): string {
  const plain = fileName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const whole = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
