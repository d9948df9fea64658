'use server';

import { action } from '@/lib/auth/action';
import { markRead, markReadInput } from './read';

/** Marks the messages of a room as read. The side is checked with the room. */
export const markRoomReadAction = action({ access: 'session', input: markReadInput, isBackground: true }, markRead);
