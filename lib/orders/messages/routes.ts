import 'server-only';
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { and, eq, lt } from 'drizzle-orm';
import { NextResponse } from 'next/server';
import { z } from 'zod';
import { db } from '@/db/client';
import { orderMessageFiles, orderMessages } from '@/db/schema/order-messages';
import type { Actor } from '@/lib/access/actor';
import { route } from '@/lib/auth/route';
import { AppError } from '@/lib/errors';
import { deliveredFile } from '@/lib/orders/deliverables/file-kind';
import { deleteIfOrphaned, maxContentBytes, storeFile } from '@/lib/orders/deliverables/store-file';
import { orderIdParams } from '@/lib/orders/order/schemas';
import { recordAudit } from '@/lib/platform/audit/record';
import { type Attachment, attachmentResponse } from '@/lib/platform/http/attachment-response';
import { idempotencyKeyHeader, parseIdempotencyKey, parseInput, readJson } from '@/lib/platform/http/parse';
import { isMultipart, receiveForm, requireFormSize } from '@/lib/platform/http/receive-file';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { directUploadBody, receiveDirectUpload } from '@/lib/platform/storage/direct-uploads';
import { safeFileName } from '@/lib/platform/storage/safe-file-name';
import { newStorageKey } from '@/lib/platform/storage/storage-key';
import { contentStore } from '@/lib/platform/storage/store';
import { messageBody, messageResponse, type RoomView, roomQuery, roomResponse } from './contract';
import { maxMessageFiles } from './limits';
import { type MessageFile, postMessage } from './post';
import { findRoom, type Room, type RoomSide, requireOpen, sideAccess } from './room';
import { getRoomPage } from './stream';

const orderOf: Record<RoomSide, string> = {
  buyer: "the caller's own order",
  seller: "an order of the caller's site",
  staff: 'an order',
};

/** Builds the route that lists the messages of an order, for one side. */
export const listMessagesRoute = (side: RoomSide) =>
  route(
    {
      access: sideAccess[side],
      summary: `Lists the messages and steps of ${orderOf[side]}: the newest, or those before a position.`,
      response: roomResponse,
      params: orderIdParams,
      query: roomQuery,
      errors: ['not_found'],
      isRevalidated: true,
      isBackground: true,
    },
    async ({ actor, params, query, request }) => {
      const room = await findRoom(actor, side, params.id);
      const headers = { ETag: computeEtag(room, request.nextUrl.search), 'Cache-Control': 'private, no-cache' };
      if (request.headers.get('if-none-match') === headers.ETag)
        return new NextResponse<RoomView>(null, { status: 304, headers });
      return NextResponse.json(await getRoomPage(actor, room, query.before), { headers });
    },
  );

/** Builds the route that posts a message about an order, for one side. */
export const postMessageRoute = (side: RoomSide) =>
  route(
    {
      access: sideAccess[side],
      ...(side === 'buyer' && { scope: 'orders:write' }),
      summary: `Posts a message about ${orderOf[side]}.`,
      response: messageResponse,
      status: 201,
      params: orderIdParams,
      requestHeaders: idempotencyKeyHeader,
      upload: { field: 'files', maxBytes: maxContentBytes, maxFiles: maxMessageFiles, orJson: messageBody },
      errors: ['not_found', 'conflict', 'unsupported_type', 'provider_failed', 'rate_limited'],
    },
    async ({ actor, params, request, ip }) => {
      // An upload that is too large is rejected before the room is read, so that its bytes are not received.
      requireFormSize(request, { maxBytes: maxContentBytes, maxFiles: maxMessageFiles });
      requireOpen(await findRoom(actor, side, params.id));
      await consumeLimit('orderMessage', { account: actor.userId, address: ip });
      const key = parseIdempotencyKey(request);
      const message = await receiveMessage(actor, params.id, request);
      return postMessage(actor, side, params.id, message, key);
    },
  );

/** Builds the route of a file of a message, for one side. */
export const messageFileRoute = (side: RoomSide) =>
  route(
    {
      access: sideAccess[side],
      summary: `Downloads a file of a message about ${orderOf[side]}.`,
      response: deliveredFile,
      errors: ['not_found', 'provider_failed'],
      params: orderIdParams.extend({ fileId: z.string().max(64) }),
    },
    async ({ actor, params, request }) => {
      const room = await findRoom(actor, side, params.id);
      return attachmentResponse(await openMessageFile(room, params.fileId), request.method);
    },
  );

/** Returns a weak ETag, because Next.js may compress the body. It changes with everything that the response shows. */
function computeEtag(room: Room, search: string): string {
  const { until: _, ...facts } = room;
  const hash = createHash('sha256')
    .update(JSON.stringify([search, facts]))
    .digest('base64url');
  return `W/"${hash.slice(0, 27)}"`;
}

/** Reads a message from a form with files, which are stored, or from JSON. */
async function receiveMessage(
  actor: Actor,
  orderId: number,
  request: Request,
): Promise<{ text: unknown; files: MessageFile[] }> {
  const stored: string[] = [];
  const store = async (file: Readable, name: string): Promise<MessageFile> => {
    const storageKey = newStorageKey(orderId);
    const facts = await storeFile(file, name, {
      storageKey,
      onInfected: (fileName, found) => recordInfection(actor, orderId, fileName, found),
    }).catch((thrown: unknown) => throwNamed(thrown, name));
    stored.push(storageKey);
    await consumeLimit(
      'messageFiles',
      { account: actor.userId, address: '' },
      { amount: Math.ceil(facts.sizeBytes / 1_000) },
    );
    return { ...facts, storageKey };
  };
  try {
    if (!isMultipart(request.headers.get('content-type') ?? '')) {
      const { text, uploads } = parseInput(jsonMessage, await readJson(request));
      const files: MessageFile[] = [];
      for (const upload of uploads) files.push(await receiveDirectUpload(actor.userId, upload, store));
      return { text, files };
    }
    const { files, texts } = await receiveForm(
      request,
      { field: 'files', maxBytes: maxContentBytes, maxFiles: maxMessageFiles },
      store,
    );
    return { text: texts.get('text') ?? '', files };
  } catch (thrown) {
    for (const storageKey of stored) await deleteIfOrphaned(storageKey);
    throw thrown;
  }
}

/** A message without a form. `postMessage` checks the text. */
const jsonMessage = z.object({
  text: z.unknown().optional(),
  uploads: z
    .array(directUploadBody, 'Enter a list of uploads.')
    .max(maxMessageFiles, `Attach at most ${maxMessageFiles} files.`)
    .default([]),
});

async function recordInfection(actor: Actor, orderId: number, fileName: string, found: string): Promise<void> {
  await recordAudit(db(), actor, {
    action: 'content.refused',
    details: `Order #${orderId}: ${fileName} of a message was refused because the virus scanner found ${found}.`,
    entityType: 'content',
    entityId: orderId,
  });
}

/** Rethrows the refusal of a file with its name, because a message can have several. */
function throwNamed(thrown: unknown, name: string): never {
  if (!(thrown instanceof AppError)) throw thrown;
  const message = `${safeFileName(name)}: ${thrown.message}`;
  throw new AppError(thrown.code, message, { ...thrown.details, fields: { files: message } });
}

/**
 * Opens a file of a room for sending.
 * @throws AppError not_found, also for a file of another room
 */
export async function openMessageFile({ orderId, until }: Room, fileId: string): Promise<Attachment> {
  const [file] = await db()
    .select({
      fileName: orderMessageFiles.fileName,
      mediaType: orderMessageFiles.mediaType,
      sizeBytes: orderMessageFiles.sizeBytes,
      storageKey: orderMessageFiles.storageKey,
    })
    .from(orderMessageFiles)
    .innerJoin(orderMessages, eq(orderMessages.id, orderMessageFiles.messageId))
    .where(
      and(
        eq(orderMessageFiles.id, fileId),
        eq(orderMessages.orderId, orderId),
        until ? lt(orderMessages.at, until) : undefined,
      ),
    );
  if (!file) throw new AppError('not_found', `Order #${orderId} has no such file.`);
  const { storageKey, ...facts } = file;
  return { ...facts, stream: await contentStore().get(storageKey) };
}
