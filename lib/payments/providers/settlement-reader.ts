import type { SettlementType } from '@/db/schema/settlement';

/** A line of a provider's statement. Amounts are signed integer minor units of `currency` (upper case). */
export type StatementLine = {
  /** The provider's name of the line, unique in the statement. */
  reference: string;
  type: SettlementType;
  /** The type in the provider's words. */
  providerType: string;
  /** Positive increases the balance at the provider. Zero for fees. */
  grossMinor: number;
  /** Positive is a cost. The balance changes by gross less fee. */
  feeMinor: number;
  currency: string;
  /** The provider's object that the line is about, e.g. re_… or po_…; empty where it names none. */
  source: string;
  /** The payment it is about, and the top-up that this payment names as its cause; null where the line does not say. */
  paymentReference: string | null;
  topupId: string | null;
  occurredAt: Date;
  availableOn: Date | null;
};

/** A span of the statement: from inclusive, until exclusive. */
export type StatementWindow = { from: Date; until: Date };

type StatementPage = {
  lines: StatementLine[];
  /** Names the next page of the window; null for the last one. */
  next: string | null;
  /** The earliest transaction on this page that is not final yet: it must be read again. */
  openSince: Date | null;
};

/** How a provider's statement is read. */
export type SettlementReader = {
  /** The earliest moment for which the provider still has a statement. */
  earliest(now: Date): Date;
  /**
   * The next span to read; it may overlap with the part that was read already, for lines that appear late.
   * @returns null while the provider has no further statement
   */
  nextWindow(readUntil: Date, now: Date): StatementWindow | null;
  /** @throws ProviderError when the provider does not answer, or the account may not read the statement */
  read(window: StatementWindow, cursor: string | null): Promise<StatementPage>;
};
