import { encode } from 'uqr';

/** Draws a QR code with its quiet zone as an SVG path of dark squares. @returns `size`: its side in squares */
export function toQrPath(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: 'M', border: 4 });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return { size, path: squares.join('') };
}
