import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';

/** Creates the key of a new file of an order: "orders/<order>/<id>". It contains no user input. */
export function newStorageKey(orderId: number): string {
  return `orders/${orderId}/${newId()}`;
}

/** Creates the key of a new article of a user: "articles/<user>/<id>". An article can exist before its order. */
export function newArticleKey(userId: string): string {
  return `articles/${userId}/${newId()}`;
}

/** The folder of files that browsers sent to the bucket and no request has used yet. */
export const directUploadFolder = 'uploads';

/** Returns the key of a file that a user sends to the bucket directly; `id` is created by `newId`. */
export function directUploadKey(userId: string, id: string): string {
  return `${directUploadFolder}/${userId}/${id}`;
}

const directUploadShape = /^uploads\/[0-9a-z]{26}\/[0-9a-z]{26}$/;

/** The folders of the files that belong to an order or a user. */
export const ownedFolders = ['orders', 'articles'] as const;

/** The record to which a stored file belongs. */
export type FileOwner = { orderId: number } | { userId: string };

const orderShape = /^orders\/(\d{1,10})\/[0-9a-z]{26}$/;
const articleShape = /^articles\/([0-9a-z]{26})\/[0-9a-z]{26}$/;

/** Returns the owner of a key, or null for any other string. */
export function parseFileOwner(key: string): FileOwner | null {
  const orderId = orderShape.exec(key)?.[1];
  if (orderId !== undefined) return { orderId: Number(orderId) };
  const userId = articleShape.exec(key)?.[1];
  return userId === undefined ? null : { userId };
}

/** Returns the key of a backup's archive; `id` is created by `newId`. */
export function backupKey(id: string): string {
  return `backups/${id}`;
}

const backupShape = /^backups\/[0-9a-z]{26}$/;

/**
 * Requires a key of a form that the functions above create, before it is used in a path or URL.
 * @throws AppError not_found
 */
export function requireStorageKey(key: string): string {
  if (!isStorageKey(key)) throw contentNotFound();
  return key;
}

/** Checks whether a key has a form that the functions above create. */
export function isStorageKey(key: string): boolean {
  return parseFileOwner(key) !== null || backupShape.test(key) || directUploadShape.test(key);
}

export function contentNotFound(): AppError {
  return new AppError('not_found', 'The file is no longer in the store. Ask us to upload it again.');
}
