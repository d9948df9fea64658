import { afterAnswer } from '../platform/http/after-answer';
import { deliverMails } from './deliver';

/** Sends queued mails after the response; the job retries failures. */
export function deliverSoon(): void {
  afterAnswer('mail', deliverMails);
}
