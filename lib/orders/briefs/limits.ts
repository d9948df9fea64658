/** The limits of a brief's fields, for the schemas and the form. */
export const maxAnchorLength = 200;
export const wordsRange = { min: 100, max: 10_000 };
