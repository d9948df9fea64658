import type { Readable } from 'node:stream';
import { and, eq, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { orderContents } from '@/db/schema/orders';
import { AppError } from '../../errors';
import { toWebStream } from '../http/web-stream';
import { contentStore } from './store';

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

export type OpenContent = { fileName: string; mediaType: string; sizeBytes: number; stream: Readable };

/**
 * The content in force of an order, ready to be sent. Whether the reader may have it is the caller's to decide.
 * @throws AppError not_found before delivery
 */
export async function openContent(orderId: number): Promise<OpenContent> {
  const [content] = await db()
    .select()
    .from(orderContents)
    .where(and(eq(orderContents.orderId, orderId), isNull(orderContents.replacedAt)));
  if (!content) throw new AppError('not_found', `No content was delivered for order #${orderId} yet.`);
  const { fileName, mediaType, sizeBytes, storageKey } = content;
  return { fileName, mediaType, sizeBytes, stream: await contentStore().get(storageKey) };
}
