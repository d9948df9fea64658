import type { Answer } from './reply';

/** A call that a provider refuses; each provider has its own shape for it. */
export abstract class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }

  /** The refusal as the provider's clients expect it. */
  abstract toReply(headers: Record<string, string>): Answer;
}
