import { AppError } from '@/lib/errors';

/** Resolves to null when the promise rejects with not_found; other errors are thrown. */
export async function nullIfNotFound<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return null;
    throw thrown;
  }
}
