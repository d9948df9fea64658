import { z } from 'zod';
import { normalizeLine } from '@/lib/network/visible-text';
import { proseField } from '@/lib/platform/http/fields';
import { maxNoteLength, maxTagLength } from './limits';

/** Normalizes a tag: one line in lower case with single spaces, so that a spelling occurs once. */
const normalizeTag = (text: string) => normalizeLine(text.replace(/[\s\p{Cc}]+/gu, ' ')).toLowerCase();

const tag = z
  .string('Enter a tag.')
  .overwrite(normalizeTag)
  .min(1, 'Enter a tag.')
  .max(maxTagLength, `Use at most ${maxTagLength} characters.`)
  .refine((text) => !text.includes(','), 'Enter one tag at a time, without commas.');

/** The filter of a list by a tag. */
export const tagParam = z.string().max(200).transform(normalizeTag).optional();

const userId = z.string().min(1).max(64);
const number = z.int().positive().max(2_147_483_647);
const note = { text: proseField('Enter a note.', maxNoteLength) };
const marked = { tag, on: z.boolean() };

export const userNoteInput = z.object({ id: userId, ...note });
export const orderNoteInput = z.object({ id: number, ...note });
export const userTagInput = z.object({ id: userId, ...marked });
export const orderTagInput = z.object({ id: number, ...marked });
export const noteIdInput = z.object({ noteId: number });
