/** Names as the options of a select. */
export const optionsOf = (names: readonly string[]) => names.map((value) => ({ value, label: value }));

/** The names a site can choose from: it may carry one that was since taken out of its list. */
export const withOwn = (names: readonly string[], own: string | undefined) =>
  own && !names.includes(own) ? [own, ...names] : names;
