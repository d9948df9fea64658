/**
 * Normalizes the name of a niche: "Health & Fitness", "health and fitness" and "Health-Fitness" are equal, and so are
 * singular and plural. The "s" of a short name ("News", "Gas") is no plural.
 */
export function nicheKey(name: string): string {
  const lower = name.toLowerCase();
  const words = lower.split(/[\s&/|,.;:'"’()_-]+/).filter((word) => word !== '' && word !== 'and');
  return words.join('').replace(/(?<=.{4})s$/u, '') || lower;
}
