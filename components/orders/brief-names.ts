/** Who writes the article of a brief. */
export const writerNames: Readonly<Record<string, string>> = {
  seller: 'Written by the publisher',
  buyer: 'Written by the buyer',
};

/** The `rel` attribute that a brief requests. */
export const relNames: Readonly<Record<string, string>> = {
  any: 'Any',
  dofollow: 'Dofollow',
  nofollow: 'Nofollow',
  sponsored: 'Sponsored',
  ugc: 'UGC',
};
