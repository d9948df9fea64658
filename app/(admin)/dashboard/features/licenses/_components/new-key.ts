/** Crockford's base 32: no I, L, O or U, so that nobody reads one for another. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const groups = 5;
const groupLength = 5;

/** A key nobody can guess: 125 random bits, e.g. "7K3QD-0M8XV-…". 32 divides 256, so every character is as likely. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(groups * groupLength));
  const text = Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('');
  return Array.from({ length: groups }, (_, index) => text.slice(index * groupLength, (index + 1) * groupLength)).join(
    '-',
  );
}
