/** The maximum length of a message, and number of its files. */
export const maxMessageLength = 4_000;
export const maxMessageFiles = 5;
