const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of the first element of that name, '' without one. S3's answers hold plain texts. */
export function textOf(xml: string, name: string): string {
  const text = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1] ?? '';
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, named?: string) => {
    if (named !== undefined) return entities[named] ?? whole;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}
