import { type BriefInput, readBrief } from '@/lib/orders/briefs/schemas';
import { type CartBriefField, type CartBriefInput, cartBriefFields } from './contract';

export type FieldNote = { field: CartBriefField; message: string };

/** Reads a cart's brief as a brief of an order. @returns the brief, or the problems of its fields */
export function readCartBrief(typed: CartBriefInput): { brief: BriefInput } | { problems: FieldNote[] } {
  const read = readBrief(toBriefInput(typed));
  if ('brief' in read) return read;
  const problems = cartBriefFields.flatMap((field) => {
    const message = read.errors[field];
    return message === undefined ? [] : [{ field, message }];
  });
  return { problems };
}

/** Converts what was typed: a blank field is absent, and the cells of a sheet have numbers as texts and the reverse. */
function toBriefInput(typed: CartBriefInput): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(typed).flatMap(([field, value]) => {
      const text = String(value ?? '').trim();
      if (text === '') return [];
      if (field === 'words') return [[field, /^\d+$/.test(text) ? Number(text) : value]];
      return [[field, choiceFields.has(field) ? text.toLowerCase() : text]];
    }),
  );
}

const choiceFields: ReadonlySet<string> = new Set<CartBriefField>(['rel', 'writer']);
