/** Names as the options of a select. */
export const optionsOf = (names: readonly string[]) => names.map((value) => ({ value, label: value }));

/** The options of a site's field, with the site's own value where that was removed from the list. */
export const withOwn = (names: readonly string[], own: string | undefined) =>
  own && !names.includes(own) ? [own, ...names] : names;
