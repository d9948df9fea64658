import { AppError } from '../../errors';

/** What an import whose caller went away ends with. */
export function cancelled(): AppError {
  return new AppError('invalid_input', 'The upload was cancelled; nothing was imported.');
}
