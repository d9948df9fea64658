import { toWebStream } from '../http/web-stream';
import type { OpenContent } from './open';

/**
 * Sends a file to be saved, never to be shown: whatever it holds, it does not run on our address. The name goes twice
 * (RFC 6266): in plain letters for old clients, and whole in UTF-8 (RFC 8187).
 */
export function attachmentResponse({ fileName, mediaType, sizeBytes, stream }: OpenContent, method: string): Response {
  // HEAD wants the headers alone; nobody would read the file to its end and so close it.
  if (method === 'HEAD') stream.destroy();
  return new Response(method === 'HEAD' ? null : toWebStream(stream), {
    headers: {
      'Content-Type': mediaType,
      // Next's own server leaves this one out and sends chunks, which tell a broken transfer as well; others pass it on.
      'Content-Length': String(sizeBytes),
      'Content-Disposition': contentDisposition(fileName),
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    },
  });
}

/** The header for a name; safe for every string, also one with quotes or line breaks. */
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
