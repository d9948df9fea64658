import { z } from 'zod';
import { headerNames, type ImportField } from './header-names';

/** What a person said a column is, by its place in the file from 0 on; null: it is not used. */
export type ColumnChoices = ReadonlyMap<number, ImportField | null>;

export const noChoices: ColumnChoices = new Map();

const isField = (name: string): name is ImportField => Object.hasOwn(headerNames, name);

/** As an address carries them: `columns=3:dr,7:none`. A column has one field, and a field one column. */
export const columnChoices = z
  .string()
  .max(10_000)
  .transform((text, context): ColumnChoices => {
    const choices = new Map<number, ImportField | null>();
    const fields = new Set<string>();
    for (const part of text === '' ? [] : text.split(',')) {
      const [, place = '', field = ''] = /^(\d{1,3}):(\w+)$/.exec(part) ?? [];
      const isKnown = field === 'none' || isField(field);
      if (place === '' || !isKnown || choices.has(Number(place)) || (field !== 'none' && fields.has(field))) {
        context.addIssue({ code: 'custom', message: 'Name each column and each field once, e.g. 3:dr,7:none.' });
        return z.NEVER;
      }
      choices.set(Number(place), isField(field) ? field : null);
      fields.add(field);
    }
    return choices;
  });
