/** Returns the first characters of a text, without half of a pair of surrogates. @param length in UTF-16 code units */
export const cutText = (text: string, length: number): string => text.slice(0, length).replace(/\p{Surrogate}$/u, '');
