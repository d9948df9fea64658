/** The limits of a brief's fields, for the schemas and the form. */
export const maxAnchorLength = 200;
/** How many days ahead the earliest day of publication may be. */
export const maxDaysAhead = 365;
export const wordsRange = { min: 100, max: 10_000 };
