import { z } from 'zod';
import { AppError } from '../errors';

const sqlError = z.object({ cause: z.object({ constraint_name: z.literal('feature_roles_user_name_key') }) });

/** A second record of one name for the same person, in whatever case, becomes a typed error; the rest stays as it is. */
export function asTaken(thrown: unknown): unknown {
  if (!sqlError.safeParse(thrown).success) return thrown;
  const message = 'This person has a role of this name already. Edit that one, or choose another name.';
  return new AppError('conflict', message, { fields: { name: message } });
}
