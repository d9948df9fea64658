/** The newest `keep` of several lists of dated things. */
export function newest<T extends { at: Date }>(lists: readonly (readonly T[])[], keep: number): T[] {
  return lists
    .flat()
    .sort((one, other) => other.at.getTime() - one.at.getTime())
    .slice(0, keep);
}
