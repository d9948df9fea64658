import { readBellAction } from '@/lib/bell/bell-actions';
import type { Bell } from '@/lib/bell/queries';
import { callAction } from '@/lib/http/call-action';
import { ApiError } from '@/lib/http/client';

/** Reads the person's bell. @returns what it told; null when no answer came */
export async function readBell(): Promise<Bell | null> {
  try {
    return await callAction(readBellAction({}));
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    return null;
  }
}
