import { hash, verify } from '@node-rs/argon2';

/** argon2id with OWASP's parameters (19 MiB, t=2, p=1), about 10 ms. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, parameters);
}

let decoy: Promise<string> | undefined;

/**
 * Does the password belong to the hash? Without a hash (unknown e-mail) it costs the same and answers false, so that
 * time does not tell whether an account exists.
 */
export async function verifyPassword(storedHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password');
  const matches = await verify(storedHash ?? (await decoy), password);
  return storedHash !== null && matches;
}
