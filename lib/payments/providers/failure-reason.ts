import { AppError } from '../../errors';
import { describeFailure } from '../../platform/log/describe-failure';
import { ProviderError } from './provider';

const longest = 300;

/** Why something failed, for whoever looks into it: short, and without the values of a failed query. */
export function failureReason(thrown: unknown): string {
  return wordsOf(thrown).slice(0, longest);
}

function wordsOf(thrown: unknown): string {
  if (thrown instanceof ProviderError) return thrown.reason;
  if (thrown instanceof AppError) return thrown.message;
  const { message, cause } = describeFailure(thrown);
  // What the database complains about says more than the statement.
  return cause ? `${cause} (${message})` : message;
}
