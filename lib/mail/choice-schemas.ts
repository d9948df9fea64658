import { z } from 'zod';
import { mailKindNames } from './kinds';

export const chooseMailInput = z.object({
  kind: z.enum(mailKindNames, { error: 'There is no such mail.' }),
  on: z.boolean(),
});
export type ChooseMailInput = z.output<typeof chooseMailInput>;
