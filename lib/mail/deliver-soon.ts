import { afterAnswer } from '../platform/http/after-answer';
import { deliverMails } from './deliver';

/** Sends what was queued once the answer is on its way; what fails is tried again by the job. */
export function deliverSoon(): void {
  afterAnswer('mail', deliverMails);
}
