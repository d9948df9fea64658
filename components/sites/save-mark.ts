import { ApiError } from '@/lib/browser/api-client';
import { callAction } from '@/lib/browser/call-action';
import { redirectIfSignedOut } from '@/lib/browser/redirect-if-signed-out';
import type { Mark, MarkSite } from './use-site-marks';

/** Saves a mark. @returns null when it is saved, else the server's words; '' when it sent none */
export async function saveMark(markSite: MarkSite, mark: Mark): Promise<string | null> {
  try {
    await callAction(markSite(mark)).catch(redirectIfSignedOut);
    return null;
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    return cause.message;
  }
}
