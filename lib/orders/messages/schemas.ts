import { z } from 'zod';
import { maxMessageLength } from './limits';

/** The body of POST …/messages as JSON, and the texts of the form. Empty only with files. */
export const messageBody = z.object({
  text: z
    .string({ error: 'Enter a message.' })
    .trim()
    .max(maxMessageLength, `Use at most ${maxMessageLength.toLocaleString('en-US')} characters.`)
    .default(''),
});

/** A position in a room: the oldest step of the order, of the placement, and message of a page. */
const position = z
  .string()
  .regex(/^\d{1,15}\.\d{1,15}\.\d{1,15}$/, 'Use the `older` of an earlier response.')
  .transform((text) => {
    const [step = 0, event = 0, message = 0] = text.split('.').map(Number);
    return { step, event, message };
  });

export type RoomPosition = z.output<typeof position>;

/** The query of GET …/messages. */
export const roomQuery = z.object({
  before: position.optional().describe('The `older` of an earlier response, for the page before it.'),
});
