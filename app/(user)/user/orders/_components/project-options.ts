/** A filter's choices; of two projects with the same domain the second says so. */
export function projectOptions(
  projects: readonly { id: string; domain: string }[],
): { value: string; label: string }[] {
  const seen = new Map<string, number>();
  return projects.map(({ id, domain }) => {
    const number = (seen.get(domain) ?? 0) + 1;
    seen.set(domain, number);
    return { value: id, label: number === 1 ? domain : `${domain} (${number})` };
  });
}
