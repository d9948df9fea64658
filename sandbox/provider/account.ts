import { z } from 'zod';

/** Types of balance changes of the shop's account at a provider. */
const movementTypes = [
  'charge',
  'refund',
  'refund_failure',
  'dispute',
  'dispute_reversal',
  'fee',
  'payout',
  'payout_failure',
] as const;

const movementSchema = z.object({
  id: z.string(),
  /** Unix seconds. */
  at: z.number().int(),
  type: z.enum(movementTypes),
  /** The provider's own type, where `type` does not determine it. */
  code: z.string().optional(),
  /** Signed minor units of `currency`: positive increases the balance. Zero for fees. */
  gross: z.number().int(),
  /** A positive fee is a cost. */
  fee: z.number().int(),
  /** ISO 4217 in upper case. */
  currency: z.string(),
  /** The provider's object: a charge, a refund, a dispute, a payout; empty for none. */
  source: z.string(),
  /** The payment; null for account movements and payments of another shop. */
  paymentId: z.string().nullable(),
});
export type Movement = z.infer<typeof movementSchema>;

/** Movements without a payment, and the times of derived movements without a time. */
export const accountSchema = z.object({
  own: z.array(movementSchema).default([]),
  times: z.record(z.string(), z.number().int()).default({}),
});
type AccountRecord = z.infer<typeof accountSchema>;

/** A movement derived from a payment; with `at` null its time is when it is first read. */
export type Derived = Omit<Movement, 'at'> & { at: number | null };

/** Id generators of the provider, and the movements derived from its payments. */
type AccountSource = {
  record: () => AccountRecord;
  currency: string;
  newId: { movement: () => string; payout: () => string; charge: () => string };
  derived: () => readonly Derived[];
};

export type ProviderAccount = ReturnType<typeof providerAccount>;

/** Returns the shop's account at a provider, with the actions of its controls. */
export function providerAccount({ record, currency, newId, derived }: AccountSource) {
  /** Lists all movements, oldest first. */
  function movements(): Movement[] {
    const { own, times } = record();
    const followed = derived().map(({ at, ...movement }): Movement => {
      if (at !== null) return { ...movement, at };
      times[movement.id] ??= now();
      return { ...movement, at: times[movement.id] ?? now() };
    });
    return [...followed, ...own].sort((one, other) => one.at - other.at || one.id.localeCompare(other.id));
  }

  /** Returns the balance by currency, in minor units. */
  function balance(): Record<string, number> {
    const sums: Record<string, number> = {};
    for (const { currency: of, gross, fee } of movements()) sums[of] = (sums[of] ?? 0) + gross - fee;
    return sums;
  }

  function add(movement: Pick<Movement, 'type' | 'gross' | 'fee' | 'source'>, daysAgo: number): Movement {
    const created: Movement = {
      id: newId.movement(),
      at: now() - daysAgo * 24 * 60 * 60,
      currency,
      paymentId: null,
      ...movement,
    };
    record().own.push(created);
    return created;
  }

  return {
    movements,
    balance,
    /**
     * Pays out to the shop's bank.
     * @param amount minor units; null for all
     * @returns null when the amount exceeds the balance
     */
    payOut(amount: number | null, daysAgo = 0): Movement | null {
      const held = balance()[currency] ?? 0;
      const paid = amount ?? held;
      if (paid <= 0 || paid > held) return null;
      return add({ type: 'payout', gross: -paid, fee: 0, source: newId.payout() }, daysAgo);
    },
    /** Returns the newest payout that was not returned. @returns null when there is none */
    failPayout(daysAgo = 0): Movement | null {
      const { own } = record();
      const returned = new Set(own.filter(({ type }) => type === 'payout_failure').map(({ source }) => source));
      const newest = own.findLast(({ type, source }) => type === 'payout' && !returned.has(source));
      if (!newest) return null;
      return add({ type: 'payout_failure', gross: -newest.gross, fee: 0, source: newest.source }, daysAgo);
    },
    /** Adds a payment of another shop on the same account. */
    chargeElsewhere: (amount: number, daysAgo = 0): Movement =>
      add({ type: 'charge', gross: amount, fee: Math.min(amount, 50), source: newId.charge() }, daysAgo),
    /** Adds a fee of the account. */
    chargeFee: (amount: number, daysAgo = 0): Movement =>
      add({ type: 'fee', gross: 0, fee: amount, source: '' }, daysAgo),
    forget() {
      record().own.length = 0;
      record().times = {};
    },
  };
}

function now(): number {
  return Math.floor(Date.now() / 1_000);
}
