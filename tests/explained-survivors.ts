/**
 * Mutants that no test can notice, because the program does the same with them. `change` is as `npm run test:mutation`
 * prints it.
 */
export const explainedSurvivors: { file: string; change: string; reason: string }[] = [
  {
    file: 'lib/access/roles.ts',
    change:
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Code as it is printed.
      'const userCount = sql<number>`(select count(*)::int from (${holders} limit ${countCap + [1 → 2]}) as counted)`;',
    reason: 'Reads one row more than it needs; the count is capped.',
  },
  { file: 'lib/money.ts', change: 'if ([known → false]) return known;', reason: 'Skips a cache.' },
  { file: 'lib/money.ts', change: '[formatters.set(currency, made); → ;]', reason: 'Skips a cache.' },
  {
    file: 'lib/money.ts',
    change: "const wholeUnitCurrencies = new Set([['HUF' → 'JPY'], 'JPY', 'TWD']);",
    reason: 'Intl of the current Node.js versions has no decimals for HUF either; others have two.',
  },
  {
    file: 'lib/money.ts',
    change: "const wholeUnitCurrencies = new Set(['HUF', ['JPY' → 'HUF'], 'TWD']);",
    reason: 'Intl has no decimals for JPY either. The list is the one of PayPal.',
  },
  {
    file: 'lib/money.ts',
    change: 'if ([currency === walletCurrency → false]) return 2;',
    reason: 'Takes the slower way to the same number, with Intl.',
  },
  {
    file: 'lib/money.ts',
    change: 'return formatter(currency).resolvedOptions().maximumFractionDigits ?? [2 → 3];',
    reason: 'Only the type allows undefined: every currency has this option.',
  },
  {
    file: 'lib/money.ts',
    change: "if ([currency === walletCurrency → false]) return groupDigits(amount).replace(/^-?/, '$&$$');",
    reason: 'Takes the slower way to the same text, with Intl.',
  },
  {
    file: 'lib/money.ts',
    change: "if (currency === walletCurrency) return groupDigits(amount).replace([/^-?/ → /-?/], '$&$$');",
    reason: 'The pattern also matches the empty text at the start.',
  },
  {
    file: 'lib/money.ts',
    change: "const decimals = (match[3] ?? '').padEnd([3 → 4], '0');",
    reason: 'Only the first three digits are read.',
  },
];
