import type { Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { type DeclineRequestInput, type RequestView, requestNotFoundError } from './contract';

/**
 * Declines a request: by a member who may approve it, or by its requester, who withdraws it.
 * @throws AppError not_found; forbidden; conflict for a request that is not open
 */
export async function declineRequest(_actor: Actor, _id: string, _input: DeclineRequestInput): Promise<RequestView> {
  throw requestNotFoundError();
}

/** Declines all open requests of an account that is being deleted. */
export async function declineOpenRequests(_tx: Executor, _actor: Actor, _accountId: string): Promise<void> {}
