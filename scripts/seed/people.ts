import type { InferInsertModel } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { users } from '@/db/schema/users';
import { demoPassword, hashPassword } from '@/lib/auth/password';
import { newId, newSecret } from '@/lib/ids';
import { daysBefore } from './days';

/** The accounts the demo prints when it starts. */
export const demoEmails = {
  admin: 'admin@example.com',
  buyer: 'buyer@example.com',
  seller: 'seller@example.com',
} as const;

const inventedBuyers = [
  ['Priya Raman', 'priya.raman@example.net'],
  ['Tom Okafor', 'tom@okafor-digital.example.org'],
  ['Elena Marković', 'elena.markovic@example.org'],
  ['Jonas Lindqvist', 'jonas@nordlead.example.net'],
  ['Grace Whitfield', 'grace.whitfield@example.org'],
  ['Mateo Herrera', 'mateo@clickworks.example.com'],
  ['Amelia Chen', 'amelia.chen@example.net'],
] as const;

const inventedSellers = [
  ['Harbor Media Group', 'sites@harbor-media.example.com'],
  ['Katrin Vogel', 'katrin.vogel@example.net'],
  ['Bluefin Publishing', 'desk@bluefin.example.org'],
  ['Luca Ferraro', 'luca.ferraro@example.org'],
  ['Outpost Network', 'partners@outpost.example.net'],
] as const;

export type People = {
  admin: Person;
  buyer: Person;
  seller: Person;
  buyers: readonly Person[];
  sellers: readonly Person[];
};
export type Person = {
  id: string;
  name: string;
  email: string;
  role: 'Admin' | 'User' | 'Seller';
  joinedDaysAgo: number;
};

/** Seeds the three demo accounts with their public password, and invented users with random passwords. */
export async function seedPeople(tx: Executor, now: Date): Promise<People> {
  const [knownHash, unknownHash] = await Promise.all([hashPassword(demoPassword), hashPassword(newSecret())]);
  const rows: (InferInsertModel<typeof users> & Person)[] = [];
  const add = (name: string, email: string, role: Person['role'], joinedDaysAgo: number, passwordHash: string) => {
    const joined = daysBefore(now, joinedDaysAgo);
    const person = { id: newId(), name, email, role, joinedDaysAgo };
    rows.push({
      ...person,
      passwordHash,
      status: 'Active',
      emailVerifiedAt: joined,
      createdAt: joined,
      updatedAt: joined,
    });
    return person;
  };
  const people = {
    admin: add('Robin Hale', demoEmails.admin, 'Admin', 430, knownHash),
    buyer: add('Sam Carter', demoEmails.buyer, 'User', 152, knownHash),
    seller: add('Noor Haddad', demoEmails.seller, 'Seller', 320, knownHash),
    buyers: inventedBuyers.map(([name, email], index) => add(name, email, 'User', 300 - 37 * index, unknownHash)),
    sellers: inventedSellers.map(([name, email], index) => add(name, email, 'Seller', 420 - 21 * index, unknownHash)),
  };
  await tx.insert(users).values(rows);
  return people;
}
