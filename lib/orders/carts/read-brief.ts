import { type Brief, type BriefInput, readBrief, resolveBrief } from '@/lib/orders/briefs/schemas';
import { splitIds } from '@/lib/orders/options/offered-price';
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
      if (field === 'options') return [[field, listOptionIds(typed)]];
      const text = String(value ?? '').trim();
      if (text === '') return [];
      if (field === 'words') return [[field, /^\d+$/.test(text) ? Number(text) : value]];
      return [[field, choiceFields.has(field) ? text.toLowerCase() : text]];
    }),
  );
}

/** Lists the ids of the chosen options, which a cart has as a list or as a text. */
const listOptionIds = ({ options }: CartBriefInput): string[] =>
  typeof options === 'object' && options !== null ? [...options] : splitIds(String(options ?? ''));

/** What the price of options depends on, also in a brief with invalid fields. */
export type OptionChoice = { ids: string[] } & Pick<Brief, 'writer' | 'words'>;

/** Reads the chosen options of a cart's brief, and what their price depends on. */
export function readOptionChoice(typed: CartBriefInput): OptionChoice {
  const { writer, words } = readBriefLeniently(typed);
  return { ids: listOptionIds(typed), writer, words };
}

/** Reads a brief whose other fields may be invalid. */
function readBriefLeniently({ writer, words, articleId }: CartBriefInput): Brief {
  const fields = readCartBrief({ writer, words, ...(articleId && { articleId }) });
  return resolveBrief('', 'brief' in fields ? fields.brief : {});
}

const choiceFields: ReadonlySet<string> = new Set<CartBriefField>(['rel', 'writer']);
