import { AppError } from '../../errors';
import { newId } from '../../ids';

/** A key for a new file: "orders/<order>/<id>", nothing of what a person typed. */
export function newStorageKey(orderId: number): string {
  return `orders/${orderId}/${newId()}`;
}

const shape = /^orders\/(\d{1,10})\/[0-9a-z]{26}$/;

/** The order that a key belongs to, or null for what is none of our keys. */
export function orderOfKey(key: string): number | null {
  const number = shape.exec(key)?.[1];
  return number === undefined ? null : Number(number);
}

/** Where a backup's archive lies; `id` is made by `newId`. */
export function backupKey(id: string): string {
  return `backups/${id}`;
}

const backupShape = /^backups\/[0-9a-z]{26}$/;

/**
 * Holds a key to the shape `newStorageKey` or `backupKey` gives it, before it becomes a path or an address.
 * @throws AppError not_found
 */
export function checkedKey(key: string): string {
  if (!isStorageKey(key)) throw contentNotFound();
  return key;
}

/** Whether it has that shape. */
export function isStorageKey(key: string): boolean {
  return shape.test(key) || backupShape.test(key);
}

export function contentNotFound(): AppError {
  return new AppError('not_found', 'The file is not in the store any more. Ask us to upload it again.');
}
