import { AppError, type ErrorCode } from '@/lib/errors';

/**
 * Runs operations concurrently and groups the outcomes: values, and the codes of typed errors. Rethrows other errors.
 */
export async function settle<T>(work: Promise<T>[]): Promise<{ values: T[]; codes: ErrorCode[] }> {
  const results = await Promise.allSettled(work);
  const values: T[] = [];
  const codes: ErrorCode[] = [];
  for (const result of results) {
    if (result.status === 'fulfilled') values.push(result.value);
    else if (result.reason instanceof AppError) codes.push(result.reason.code);
    else throw result.reason;
  }
  return { values, codes };
}
