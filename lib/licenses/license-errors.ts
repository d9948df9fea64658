import { z } from 'zod';
import { AppError } from '../errors';

const sqlError = z.object({ cause: z.object({ constraint_name: z.literal('licenses_key_key') }) });

export function licenseNotFound(id: number): AppError {
  return new AppError('not_found', `License #${id} does not exist or was deleted.`);
}

/** What the database's refusal of a second license with the same key means; anything else is thrown as it is. */
export function tellTakenKey(thrown: unknown): never {
  if (!sqlError.safeParse(thrown).success) throw thrown;
  const message = 'Another license has this key already.';
  throw new AppError('conflict', message, { fields: { key: message } });
}
