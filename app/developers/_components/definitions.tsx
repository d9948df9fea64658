import type { ReactNode } from 'react';
import { Code } from './code';

/** A list of names with their meaning. */
export function Definitions({ of: rows }: { of: readonly (readonly [name: string, meaning: ReactNode])[] }) {
  return (
    <dl className="divide-y divide-line border-line border-y">
      {rows.map(([name, meaning]) => (
        <div key={name} className="grid gap-x-4 py-2 sm:grid-cols-[14rem_minmax(0,1fr)]">
          <dt>
            <Code>{name}</Code>
          </dt>
          <dd className="wrap-anywhere">{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
