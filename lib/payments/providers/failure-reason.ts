import { AppError } from '@/lib/errors';
import { describeError } from '@/lib/platform/log/describe-error';
import { ProviderError } from './provider';

const maxLength = 300;

/** Returns the reason of a failure for staff: at most 300 characters, without the parameters of a failed query. */
export function failureReason(thrown: unknown): string {
  return getReason(thrown).slice(0, maxLength);
}

function getReason(thrown: unknown): string {
  if (thrown instanceof ProviderError) return thrown.reason;
  if (thrown instanceof AppError) return thrown.message;
  const { message, cause } = describeError(thrown);
  // The database's message is more specific than the failed statement.
  return cause ? `${cause} (${message})` : message;
}
