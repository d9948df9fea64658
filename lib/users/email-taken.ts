import { z } from 'zod';
import { AppError } from '../errors';

const sqlError = z.object({ cause: z.object({ constraint_name: z.literal('users_email_key') }) });

/** Did the database refuse a second account with this e-mail, in whatever case? */
export function isEmailTaken(thrown: unknown): boolean {
  return sqlError.safeParse(thrown).success;
}

/** A deleted account keeps its address: its books stay, and nobody else shall be taken for its owner. */
export function emailTaken(email: string): AppError {
  const message = `An account with the email ${email} exists or was deleted. Use another address.`;
  return new AppError('conflict', message, { fields: { email: message } });
}
