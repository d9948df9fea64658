/** The longest note and tag, in characters, and the most of each on a record. The browser reads them as well. */
export const maxNoteLength = 2_000;
export const maxTagLength = 30;
export const maxNotes = 200;
export const maxTags = 10;
