import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReactNode } from 'react';
import { CodeBlock, LanguageTabs } from './code-block';

/** A section of the guide; each has a file of its own. */
export type Section = {
  /** The anchor. */
  id: string;
  title: string;
  /** The feature flag without which the section is hidden. */
  flag?: 'api-tokens' | 'webhooks' | 'mcp';
  /**
   * @param origin the origin of this installation, e.g. https://links.example.com
   * @param on the feature flags that are on
   */
  Content: (props: { origin: string; on: ReadonlySet<string> }) => ReactNode;
};

/** Renders a name or value within a sentence. */
export function Code({ children }: { children: string }) {
  return <code className="wrap-anywhere rounded-sm bg-sunken px-1 py-0.5 font-mono text-ink text-xs">{children}</code>;
}

/** Renders a list of names with their meaning. */
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

/** The languages of the examples, by the ending of their files. */
const languages = [
  ['curl', 'sh'],
  ['TypeScript', 'mts'],
  ['Python', 'py'],
] as const;

/**
 * Renders an example in all languages. The files are in examples/, and tests/api/examples.test.ts runs them.
 * @param name the name of the files, without the ending
 * @param title what the example does, e.g. "List sites"
 */
export async function Example({ name, title }: { name: string; title: string }) {
  const panels = await Promise.all(
    languages.map(async ([language, ending]) => {
      const text = await readFile(join(process.cwd(), 'examples', `${name}.${ending}`), 'utf8');
      return { language, panel: <CodeBlock label={`${title} in ${language}`} text={text.trimEnd()} /> };
    }),
  );
  return <LanguageTabs title={title} panels={panels} />;
}
