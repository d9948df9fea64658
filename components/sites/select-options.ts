/** Names as the options of a select. */
export const toOptions = (names: readonly string[]) => names.map((value) => ({ value, label: value }));

/** The options of a site's field, with the site's own value where that was removed from the list. */
export const includeCurrent = (names: readonly string[], own: string | undefined) =>
  own && !names.includes(own) ? [own, ...names] : names;
