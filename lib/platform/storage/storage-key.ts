import { AppError } from '../../errors';
import { newId } from '../../ids';

/** Creates the key of a new file: "orders/<order>/<id>". It contains no user input. */
export function newStorageKey(orderId: number): string {
  return `orders/${orderId}/${newId()}`;
}

const shape = /^orders\/(\d{1,10})\/[0-9a-z]{26}$/;

/** Returns the order id of a key, or null for any other string. */
export function parseOrderId(key: string): number | null {
  const number = shape.exec(key)?.[1];
  return number === undefined ? null : Number(number);
}

/** Returns the key of a backup's archive; `id` is created by `newId`. */
export function backupKey(id: string): string {
  return `backups/${id}`;
}

const backupShape = /^backups\/[0-9a-z]{26}$/;

/**
 * Requires a key of the form that `newStorageKey` or `backupKey` creates, before it is used in a path or URL.
 * @throws AppError not_found
 */
export function requireStorageKey(key: string): string {
  if (!isStorageKey(key)) throw contentNotFound();
  return key;
}

/** Whether a key has the form that `newStorageKey` or `backupKey` creates. */
export function isStorageKey(key: string): boolean {
  return shape.test(key) || backupShape.test(key);
}

export function contentNotFound(): AppError {
  return new AppError('not_found', 'The file is no longer in the store. Ask us to upload it again.');
}
