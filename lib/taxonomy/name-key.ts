/** Normalizes a name for comparison: lower case, without accents, spaces, punctuation and characters that are not shown. */
export const toNameKey = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}\s.,'’()-]+/gu, '');
