import { runAfterResponse } from '@/lib/platform/lifecycle/run-after-response';
import { deliverMails } from './deliver';

/** Sends queued mails after the response; the job retries failures. */
export function deliverAfterResponse(): void {
  runAfterResponse('mail', deliverMails);
}
