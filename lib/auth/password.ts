import { hash, verify } from '@node-rs/argon2';

/** argon2id with OWASP's parameters (19 MiB, t=2, p=1), about 10 ms. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, parameters);
}

let decoy: Promise<string> | undefined;

/**
 * Verifies a password. Without a hash (unknown email) it takes the same time and returns false, so that the response
 * time does not reveal whether an account exists.
 */
export async function verifyPassword(storedHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('password of no account');
  const matches = await verify(storedHash ?? (await decoy), password);
  return storedHash !== null && matches;
}
